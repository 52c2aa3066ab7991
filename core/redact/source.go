package redact

import (
	"strings"

	"pcpscope/core/pattern"
)

// Knowledge about where texts occur in an archive.

// A Place says what a text means.
type Place int

const (
	Free      Place = iota // any text
	Unchanged              // a text that all hosts have: versions, states
	HostName               // the name of a host
	MachineID
	UserName
	PathName
	Command    // a command with its arguments: "001234 /usr/bin/x --y"
	Container  // a container, an image, a cgroup
	Enumerated // an instance of a kernel table: "cpu0", "eth0", "getattr"
)

var (
	keptMetrics = pattern.New(`^(kernel\.uname\.(sysname|release|version|machine|distro)|hinv\.(cpu|map|machine|disk|cputype|gpu)\b.*|pmcd\.(version|build|services|timezone|agent\..*|zoneinfo|features.*)|pmcd\.pmlogger\.(port|pmcd_host_state)|(hot)?proc\.psinfo\.(sname|cmd|ttyname|policy|wchan_s|environ_state)|(hot)?proc\.schedstat\..*|disk\..*\.(scheduler|state|health|wwid_state)|network\.interface\.(duplex|type|state|mode).*|mem\..*|kernel\..*\.pressure.*|nvidia\.(cardname|.*state)|amdgpu\.gpu\.name|sample\.(string|dupnames\..*)\.(hullo|null)|pmproxy\..*state.*)$`)
	hostMetrics = pattern.New(`(?i)(^|[._])(hostname|nodename|host|fqdn|domainname|server_name|peer|client_host)$`)
	idMetrics   = pattern.New(`(?i)(^|[._])(machineid|machine_id|uuid|wwid|serial|serialnumber|containerid|container_id)$`)
	userMetrics = pattern.New(`(?i)(_nm|(^|[._])(user|username|group|groupname|owner|login|account))$`)
	pathMetrics = pattern.New(`(?i)(^|[._])(mountdir|path|file|filename|archive|cwd|exe|root|socket|dir|directory|device|mountpoint|cgroups?|cpus|mems)$`)
	argsMetrics = pattern.New(`(?i)(^|[._])(psargs|cmdline|environ|args|arguments|command)$`)
	boxMetrics  = pattern.New(`(?i)^(containers|docker|podman|cgroup)\.|(^|[._])(container|image|pod|cid)$`)
)

// PlaceOf returns the meaning of a metric's string values.
func PlaceOf(metric string) Place {
	switch {
	case keptMetrics().MatchString(metric):
		return Unchanged
	case argsMetrics().MatchString(metric):
		return Command
	case hostMetrics().MatchString(metric):
		return HostName
	case idMetrics().MatchString(metric):
		return MachineID
	case userMetrics().MatchString(metric):
		return UserName
	case boxMetrics().MatchString(metric):
		return Container
	case pathMetrics().MatchString(metric):
		return PathName
	}
	return Free
}

var enumerated = pattern.New(`^(nfs[34]?|rpc|nfsclient|pmcd|kernel|hinv|mem|disk|swapdev|network\.(interface|icmp|tcp|udp|softnet|all|ip)|xfs|ext4|vfs|ipc|pmproxy|quota|sample|sampledso|simple|trivial|disk\.(dev|partitions|dm|md)|lustre|infiniband|rapl|denki|amdgpu|nvidia|tty|numa|power|perfevent|acct|zswap|fchost|tape|zfs|btrfs|hotproc\.(control|total)|proc\.(runq|nprocs|control|fd))\b`)

// PlaceOfInstances returns the meaning of a domain's instance names, from the
// names of the metrics that use it.
func PlaceOfInstances(metrics []string) Place {
	place := Free
	for _, m := range metrics {
		switch {
		case strings.HasPrefix(m, "proc.") || strings.HasPrefix(m, "hotproc."):
			if !enumerated().MatchString(m) {
				return Command
			}
		case strings.HasPrefix(m, "cgroup.") || strings.HasPrefix(m, "containers.") || strings.HasPrefix(m, "docker.") || strings.HasPrefix(m, "podman."):
			return Container
		case strings.HasPrefix(m, "filesys."):
			place = PathName
		}
		if enumerated().MatchString(m) && place == Free {
			place = Enumerated
		}
	}
	return place
}

var command = pattern.New(`^(\d+)(\s+)(\S+)(?:(\s+)(.*))?$`)

// Collect collects what is to be replaced in a text.
func (t *Table) Collect(p Place, text string) {
	if text == "" {
		return
	}
	t.see(text)
	switch p {
	case HostName:
		t.host(text)
	case MachineID:
		if len(text) >= 8 {
			t.add(Machines, text)
		}
	case UserName:
		t.user(text)
	case PathName:
		t.path(text, Paths)
	case Command:
		t.command(text)
	case Container:
		t.path(text, Containers)
	case Enumerated:
		if !publicInstance(text, true) {
			t.add(Instances, text)
		}
	case Free:
		if !t.plain(text) {
			t.add(Texts, text)
		}
	}
}

// CollectInstance is Collect for the name of an instance.
func (t *Table) CollectInstance(p Place, text string) {
	if p != Free {
		t.Collect(p, text)
		return
	}
	t.see(text)
	if !publicInstance(text, false) {
		t.add(Instances, text)
	}
}

// plain reports whether a text reveals nothing: a number, or public words.
func (t *Table) plain(text string) bool {
	list := words(text)
	for _, w := range list {
		if !t.public[w] && strings.Trim(w, "0123456789") != "" {
			return false
		}
	}
	return len(text) < 40
}

var (
	countedName = pattern.New(`(?i)^(\d+([.:-]\d+)*|\d+ ?(minute|second|hour|day|min|sec)s?|(bin|bytes|sub)?-?\d+)$`)
	tableName   = pattern.New(`^[A-Za-z][A-Za-z0-9]{0,11}$`)
)

// publicInstance reports whether an instance has a name common to all hosts: a
// device, a CPU, a number; in a kernel table, any short word.
func publicInstance(name string, table bool) bool {
	return deviceName().MatchString(strings.ToLower(name)) || countedName().MatchString(name) || table && tableName().MatchString(name)
}

// command collects the parts of a process name: its path and its arguments.
func (t *Table) command(text string) {
	cmd, args := text, ""
	if m := command().FindStringSubmatch(text); m != nil {
		cmd, args = m[3], m[5]
	} else if c, a, ok := strings.Cut(text, " "); ok {
		cmd, args = c, a
	}
	if !strings.HasPrefix(cmd, "(") && !strings.HasPrefix(cmd, "[") {
		if strings.Contains(cmd, "/") {
			t.path(cmd, Paths)
		}
	}
	if args = strings.TrimSpace(args); args == "" {
		return
	}
	t.add(Arguments, args)
	for _, a := range strings.FieldsFunc(args, func(r rune) bool { return strings.ContainsRune(" \t=,:;\"'@?&/\\|()[]{}<>", r) }) {
		if a = strings.TrimLeft(a, "-"); len(a) >= 4 && len(a) < 200 && t.distinctive(Arguments, strings.ToLower(a)) {
			t.add(Arguments, a)
		}
	}
}

// Command replaces a process name: the parts of the path, and all arguments as
// one.
func (t *Table) Command(text string) string {
	head, cmd, gap, args := "", text, "", ""
	if m := command().FindStringSubmatch(text); m != nil {
		head, cmd, gap, args = m[1]+m[2], m[3], m[4], m[5]
	} else if c, a, ok := strings.Cut(text, " "); ok {
		cmd, gap, args = c, " ", a
	}
	cmd = t.ReplaceParts(cmd, Paths)
	if trimmed := strings.TrimSpace(args); trimmed != "" {
		args = t.ReplaceWhole(Arguments, trimmed)
	}
	return head + cmd + gap + args
}

// Replace replaces a text with the given meaning.
func (t *Table) Replace(p Place, text string) string {
	switch p {
	case HostName:
		return t.ReplaceWhole(Hosts, text)
	case MachineID:
		return t.ReplaceWhole(Machines, text)
	case UserName:
		return t.ReplaceWhole(Users, text)
	case PathName:
		return t.wholePath(text, Paths)
	case Container:
		return t.wholePath(text, Containers)
	case Command:
		return t.Command(text)
	case Free:
		if !t.plain(text) {
			return t.ReplaceWhole(Texts, text)
		}
	case Enumerated:
		if !publicInstance(text, true) {
			return t.ReplaceWhole(Instances, text)
		}
	}
	return t.Text(text)
}

func (t *Table) wholePath(text string, k Kind) string {
	if strings.ContainsAny(text, `/\`) {
		return strings.TrimPrefix(t.ReplaceParts("/"+text, k), "/")
	}
	return t.ReplaceWhole(k, text)
}

// Instance is Replace for the name of an instance.
func (t *Table) Instance(p Place, text string) string {
	if p == Free {
		if publicInstance(text, false) {
			return t.Text(text)
		}
		return t.ReplaceWhole(Instances, text)
	}
	return t.Replace(p, text)
}

// CollectMetric collects the components of a metric's name, unless it is one of
// PCP's.
func (t *Table) CollectMetric(name string) {
	if PublicMetric(name) {
		t.AddPublic(name)
		return
	}
	parts := strings.Split(name, ".")
	for i, part := range parts {
		if i == 0 && publicTop[part] {
			continue
		}
		t.add(Names, part)
	}
	t.see(name)
}

// publicTop are the top-level names under which a site's own metrics are.
var publicTop = map[string]bool{"mmv": true, "openmetrics": true, "bpftrace": true, "derived": true, "prometheus": true, "statsd": true, "unnamed": true}

// Metric replaces the components of a metric's name.
func (t *Table) Metric(name string) string {
	if PublicMetric(name) {
		return name
	}
	parts := strings.Split(name, ".")
	for i, part := range parts {
		if i == 0 && publicTop[part] {
			continue
		}
		if e := t.entries[t.fold(part)]; e != nil && !t.off[Names] {
			parts[i] = strings.ReplaceAll(strings.ReplaceAll(t.pseudonym(e), "-", "_"), ".", "_")
			if c := parts[i][0]; c >= '0' && c <= '9' {
				parts[i] = "n" + parts[i]
			}
		}
	}
	return strings.Join(parts, ".")
}

// knownLabels are labels of PCP's agents whose values are the same on all
// hosts.
var knownLabels = map[string]bool{"agent": true, "device_type": true, "indom_name": true, "cluster": true, "role": true, "statistic": true, "bound": true, "units": true, "changed": true, "metrictype": true}

// labelPlace returns the meaning of a label's value.
func labelPlace(key string) (Place, bool) {
	switch strings.ToLower(key) {
	case "hostname", "domainname", "nodename", "host", "url", "source", "instance":
		return HostName, true
	case "machineid":
		return MachineID, true
	case "userid", "groupid", "username", "groupname", "user", "group", "userid_nm":
		return UserName, true
	case "container", "containerid", "container_name", "image", "pod", "namespace", "cgroup":
		return Container, true
	}
	return Unchanged, knownLabels[key]
}

// CollectLabels collects what is to be replaced in labels.
func (t *Table) CollectLabels(json string) {
	for _, view := range t.views(json) {
		t.see(view)
	}
	mapJSON(json, func(name string) string {
		if _, known := labelPlace(name); !known {
			t.see(name)
			t.add(Labels, name)
		}
		return name
	}, func(key, s string) string {
		p, known := labelPlace(key)
		if known {
			t.Collect(p, s)
		} else {
			t.see(s)
			t.add(Labels, s)
		}
		return s
	})
}

// Labels replaces texts in labels.
func (t *Table) Labels(json string) string {
	out, ok := mapJSON(json, func(name string) string {
		if _, known := labelPlace(name); known {
			return name
		}
		return strings.ReplaceAll(t.ReplaceWhole(Labels, name), "-", "_")
	}, func(key, s string) string {
		if p, known := labelPlace(key); known {
			return t.Replace(p, s)
		}
		return t.ReplaceWhole(Labels, s)
	})
	if !ok {
		return "{}"
	}
	return out
}

// CollectHelp collects from a help text, if help texts are kept. Omitted ones leave
// nothing to search for, and they are full of PCP's own names.
func (t *Table) CollectHelp(text string) {
	if t.off[Help] {
		t.see(text)
	} else if text != "" {
		t.helps++
	}
}

// HelpText replaces a help text by nothing, unless help texts are kept.
func (t *Table) HelpText(text string) string {
	if t.off[Help] {
		return t.Text(text)
	}
	return ""
}
