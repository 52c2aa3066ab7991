package redact

import (
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"pcpscope/core/pattern"
)

var (
	ipv4    = pattern.New(`^\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}$`)
	mac     = pattern.New(`(?i)^[0-9a-f]{2}([:-])[0-9a-f]{2}([:-][0-9a-f]{2}){4}$`)
	address = pattern.New(`(?i)\b\d{1,3}(?:\.\d{1,3}){3}\b|\b[0-9a-f]{2}(?:[:-][0-9a-f]{2}){5}\b|(?:[0-9a-f]{0,4}:){2,7}[0-9a-f.]{0,15}`)
	machine = pattern.New(`(?i)\b(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{64}|[0-9a-f]{40}|[0-9a-f]{32})\b`)
	fqdn    = pattern.New(`(?i)\b(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?\.)+([a-z][a-z0-9-]{1,30})\b`)
	email   = pattern.New(`(?i)\b([a-z0-9._%+-]{2,64})@([a-z0-9-]+(?:\.[a-z0-9-]+)*)`)
	slashed = pattern.New(`(?:[A-Za-z]:)?[\\/][^\s"'<>|,;=()\[\]{}]*`)
	escapes = pattern.New(`(?:%[0-9A-Fa-f]{2}|\\x[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4})+`)
	escaped = pattern.New(`%[0-9A-Fa-f]{2}|\\x[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4}`)
)

// publicAddresses identify nobody.
var publicAddresses = map[string]bool{"127.0.0.1": true, "0.0.0.0": true, "255.255.255.255": true, "::1": true, "::": true, "00:00:00:00:00:00": true, "ff:ff:ff:ff:ff:ff": true}

// endings of domain names that are not also endings of metric, file or class
// names.
var endings = func() map[string]bool {
	m := map[string]bool{}
	for e := range strings.FieldsSeq("com net org edu gov mil int info biz local localdomain lan home internal intra corp private example test invalid cloud dev app tech online site xyz cluster svc svc cluster-local arpa eu de uk fr at ch nl be dk se no fi pl cz it es pt ru us ca mx br ar cl au nz jp cn kr tw hk sg in za ie gr hu ro bg si sk hr lu lt lv ee il tr ua") {
		m[e] = true
	}
	return m
}()

// see collects what can be recognised by its form, in any text.
func (t *Table) see(text string) {
	for _, re := range t.words {
		for _, found := range re.FindAllString(text, -1) {
			if len(found) >= shortest {
				t.add(Words, found)
			}
		}
	}
	for _, view := range t.views(text) {
		t.seeView(view)
	}
}

func (t *Table) seeView(text string) {
	if strings.ContainsAny(text, ".:-") {
		for _, a := range addressesIn(text) {
			if !publicAddresses[strings.ToLower(a)] {
				t.add(Addresses, a)
			}
		}
	}
	if len(text) >= 32 {
		for _, id := range machine().FindAllString(text, -1) {
			t.add(Machines, id)
		}
	}
	if strings.IndexByte(text, '@') >= 0 {
		for _, m := range email().FindAllStringSubmatch(text, -1) {
			t.user(m[1])
			t.host(m[2])
		}
	}
	if strings.IndexByte(text, '.') >= 0 {
		for _, m := range fqdn().FindAllStringSubmatch(text, -1) {
			if endings[strings.ToLower(m[1])] && !t.publicName(m[0]) {
				t.host(m[0])
			}
		}
	}
	if strings.ContainsAny(text, `/\`) {
		for _, p := range slashed().FindAllString(text, -1) {
			t.path(p, Paths)
		}
	}
}

// publicName reports whether all words of a dotted name are public, like those
// of metrics.
func (t *Table) publicName(name string) bool {
	for _, w := range words(name) {
		if !t.public[w] {
			return false
		}
	}
	return true
}

// addressesIn lists the addresses in a text. An IPv6 address stands alone: with
// adjacent letters or digits it is something else ("x24::c", "24::cgroup"), and
// a colon or full stop after it belongs to the sentence.
func addressesIn(text string) (list []string) {
	for _, at := range address().FindAllStringIndex(text, -1) {
		from, to := at[0], at[1]
		for from < to && from > 0 && alphanumeric(text[from-1]) { // part of the word before
			if i := strings.IndexByte(text[from:to], ':'); i >= 0 {
				from += i + 1
			} else {
				from = to
			}
		}
		a := text[from:to]
		if to < len(text) && alphanumeric(text[to]) {
			a = ""
		}
		for a != "" && !isAddress(a) && (a[len(a)-1] == '.' || a[len(a)-1] == ':') {
			a = a[:len(a)-1]
		}
		if a != "" && isAddress(a) {
			list = append(list, a)
		}
	}
	return list
}

func alphanumeric(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

func isAddress(s string) bool {
	if mac().MatchString(s) {
		return true
	}
	if strings.Count(s, ":") < 2 && !ipv4().MatchString(s) {
		return false
	}
	a, err := netip.ParseAddr(s)
	return err == nil && (a.Is4() || len(s) > 4)
}

// host collects the name of a host and its parts.
func (t *Table) host(name string) {
	name = strings.Trim(name, ".")
	if name == "" || publicHosts[strings.ToLower(name)] {
		return
	}
	if a, err := netip.ParseAddr(name); err == nil {
		t.add(Addresses, a.String())
		return
	}
	short, domain, dotted := strings.Cut(name, ".")
	if dotted && !publicHosts[strings.ToLower(domain)] {
		t.add(Domains, domain)
	}
	if !publicHosts[strings.ToLower(short)] {
		t.add(Hosts, short)
	}
	if dotted {
		t.add(Hosts, name)
	}
}

var publicHosts = map[string]bool{"localhost": true, "localdomain": true, "local": true, "localhost.localdomain": true, "localhost4": true, "localhost6": true}

func (t *Table) user(name string) {
	if name != "" && !publicUsers[strings.ToLower(name)] {
		t.add(Users, name)
	}
}

var publicUsers = func() map[string]bool {
	m := map[string]bool{}
	for u := range strings.FieldsSeq("root bin daemon adm lp sync shutdown halt mail operator games ftp nobody dbus polkitd sshd ntp chrony rpc rpcuser nfsnobody systemd-network systemd-resolve systemd-timesync systemd-oom avahi colord gdm pcp pcpqa apache nginx www-data mysql postgres redis wheel users sys tty disk kmem man uucp news proxy backup list irc gnats _apt messagebus syslog tcpdump tss uuidd libvirt-qemu qemu unbound setroubleshoot rtkit pulse saslauth abrt") {
		m[u] = true
	}
	return m
}()

// path collects the parts of a path that are specific to the host.
func (t *Table) path(p string, k Kind) {
	parts := strings.FieldsFunc(p, func(r rune) bool { return r == '/' || r == '\\' })
	for i, part := range parts {
		kind := k
		if i > 0 && homes[strings.ToLower(parts[i-1])] {
			t.user(part)
			continue
		}
		if k == Containers {
			part = unitStem(part)
		}
		if t.publicPart(part) {
			continue
		}
		t.add(kind, part)
	}
}

var homes = map[string]bool{"home": true, "users": true, "export": true, "mail": true}

// publicPart reports whether a part of a path is common to all systems.
func (t *Table) publicPart(part string) bool {
	low := strings.ToLower(part)
	if publicParts[low] || len(low) < 2 || numbered().MatchString(low) {
		return true
	}
	if deviceName().MatchString(low) || sliceName().MatchString(low) {
		return true
	}
	_, err := strconv.Atoi(low)
	return err == nil
}

var (
	numbered   = pattern.New(`^[\d.:_-]+$`)
	deviceName = pattern.New(`^(cpu|node|lo|eth|ens|eno|enp|em|wlan|wlp|bond|team|virbr|docker|veth|vnet|tun|tap|br|sd|hd|vd|xvd|nvme|dm-|md|loop|ram|zram|sr|fd|fdd|mmcblk|nbd|rbd|dasd|tty|pts|disk|c\dd|dks|ef|et|ec|mtd|pmem|ib|bank|core|thread|gpu|card|bin-|proc|mapper|root|swap|tmpfs|devtmpfs|shm|cgroup|overlay|rootfs|total|all|lane|pktgen)[\da-z]{0,8}(p\d+|s\d+|f\d+|n\d+|[.:@]\d+|-\d+)*$`)
	sliceName  = pattern.New(`^(-|system|user|machine|init|app|session|background|kubepods(-(besteffort|burstable|guaranteed))?|docker|libpod|lxc|besteffort|burstable|guaranteed|user-\d+|session-c?\d{1,6}|user@\d+|user-runtime-dir@\d+|getty@tty\d+|serial-getty@ttys\d+)(\.(slice|scope|service|mount|socket))?$`)
)

var publicParts = func() map[string]bool {
	m := map[string]bool{}
	for p := range strings.FieldsSeq("usr bin sbin lib lib32 lib64 libexec local share etc var log run tmp opt srv home root boot efi dev proc sys mnt media export users etc systemd init system user pcp pmlogger pmcd pmdas pmns sysconfig init.d rc.d cron cron.d spool cache mapper disk by-id by-path by-uuid by-label by-partuuid pts shm mqueue hugepages net class block devices pci0000 virtual fs cgroup unified memory cpu cpuset cpuacct blkio pids freezer perf_event net_cls net_prio python perl ruby java jvm node bash sh dash zsh ksh x86_64-linux-gnu aarch64-linux-gnu src include doc man docs program files windows system32 bsd irix") {
		m[p] = true
	}
	return m
}()

// unitStem is the name of a systemd unit without its type.
func unitStem(part string) string {
	for _, end := range []string{".service", ".scope", ".slice", ".mount", ".socket", ".timer"} {
		if s, ok := strings.CutSuffix(part, end); ok && s != "" && !sliceName().MatchString(strings.ToLower(part)) {
			return s
		}
	}
	return part
}

// views returns a text and its other readings: with composed characters instead
// of letters and accents, and with escapes decoded.
func (t *Table) views(text string) []string {
	list := []string{text}
	also := func(view string) {
		if view != list[len(list)-1] {
			list = append(list, view)
		}
	}
	also(t.composed(text))
	if !escaped().MatchString(text) {
		return list
	}
	for range 3 { // escapes may be escaped
		plain := unescape(list[len(list)-1])
		if plain == list[len(list)-1] {
			break
		}
		also(plain)
		also(t.composed(plain))
	}
	return list
}

// composed returns a text with composed characters, unless it is in another
// encoding.
func (t *Table) composed(text string) string {
	for i := range len(text) {
		if text[i] >= 0x80 {
			if utf8.ValidString(text) {
				return t.compose(text)
			}
			break
		}
	}
	return text
}

// fold returns the same text for all texts that are considered equal.
func (t *Table) fold(text string) string { return strings.ToLower(t.composed(text)) }

// unescape decodes percent escapes, \x of systemd and \u of JSON.
func unescape(text string) string {
	return escapes().ReplaceAllStringFunc(text, func(s string) string {
		var b strings.Builder
		for len(s) > 0 {
			switch {
			case s[0] == '%':
				plain, err := url.PathUnescape(s[:3])
				if err != nil {
					plain = s[:3]
				}
				b.WriteString(plain)
				s = s[3:]
			case s[1] == 'x':
				n, _ := strconv.ParseUint(s[2:4], 16, 8)
				b.WriteByte(byte(n))
				s = s[4:]
			default:
				n, _ := strconv.ParseUint(s[2:6], 16, 16)
				if n < 0xd800 || n > 0xdfff {
					b.WriteString(string(rune(n)))
				} else {
					b.WriteString(string(utf8.RuneError))
				}
				s = s[6:]
			}
		}
		return b.String()
	})
}

// publicWords are words that occur in archives of all hosts.
const publicWords = `kernel percpu pernode all cpu mem util swap swapdev disk dev dm md partitions network interface tcp udp icmp ip nfs nfs3 nfs4 rpc client server
filesys quota xfs ext4 btrfs vfs inode proc hotproc cgroup containers pmcd pmlogger pmproxy pmie agent hinv machine model vendor version release sysname nodename distro
uname load read write bytes blkread blkwrite total user sys idle wait nice intr guest steal free used cached buffers active inactive slab dirty pages in out packets errors drops
minute hour second count rate avg max min mean size capacity full mounted mountdir avail running blocked sleeping stopped runnable threads process processes linux windows darwin
unix true false none unknown null yes no on off up down start stop ready state status type name label labels value values unit units instance domain cluster item host hostname
service slice scope socket session system init root daemon localhost statistic device_type indom_name agent block cpu0 node node0 one two three four five ten hundred red green yellow
sample simple trivial mmv openmetrics job counter instant discrete string integer float double mirage bin data log file files path bash sh python java perl`
