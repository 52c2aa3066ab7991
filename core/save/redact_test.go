package save

import (
	"bytes"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"

	"pcpscope/core/archive"
	"pcpscope/core/pcp"
	"pcpscope/core/redact"
)

// A planting is an archive with secrets in every place that can contain text.
type planting struct {
	secrets []string
	n       int
}

// secret returns a secret that occurs nowhere else.
func (p *planting) secret(form string) string {
	p.n++
	s := fmt.Sprintf(form, p.n*7919+100000)
	p.secrets = append(p.secrets, s)
	return s
}

// plant writes an archive with n secrets, and more.
func plant(t testing.TB, p *planting, n int) files {
	t.Helper()
	out, start := files{}, 1_700_000_000*second
	host := p.secret("dbhost%d")
	domain := p.secret("corp%d") + ".example.com"
	w, err := archive.NewWriter(archive.Label{Version: 3, PID: 1, Start: start, Host: host + "." + domain, Timezone: "UTC"}, out.create)
	if err != nil {
		t.Fatal(err)
	}
	desc := func(domain, item int, typ pcp.Type, indom pcp.InDom) pcp.Desc {
		return pcp.Desc{PMID: pcp.MakePMID(domain, item>>10, item&1023), Type: typ, InDom: indom, Sem: pcp.Discrete}
	}
	procs, mounts, boxes, own := pcp.MakeInDom(3, 9), pcp.MakeInDom(60, 5), pcp.MakeInDom(3, 20), pcp.MakeInDom(70, 1)
	texts := map[string]pcp.Desc{
		"pmcd.hostname":           desc(2, 1, pcp.String, pcp.NullInDom),
		"kernel.uname.nodename":   desc(60, 2, pcp.String, pcp.NullInDom),
		"kernel.uname.release":    desc(60, 3, pcp.String, pcp.NullInDom),
		"filesys.mountdir":        desc(60, 4, pcp.String, mounts),
		"proc.psinfo.psargs":      desc(3, 5, pcp.String, procs),
		"proc.id.uid_nm":          desc(3, 6, pcp.String, procs),
		"cgroup.cpusched.shares":  desc(3, 7, pcp.Uint32, boxes),
		"containers.name":         desc(3, 8, pcp.String, boxes),
		"mmv.app.status":          desc(70, 9, pcp.String, pcp.NullInDom),
		"network.interface.speed": desc(60, 10, pcp.Uint64, pcp.MakeInDom(60, 3)),
	}
	events, param := desc(29, 11, pcp.Event, pcp.NullInDom), desc(29, 12, pcp.String, pcp.NullInDom)
	opaque := desc(29, 13, pcp.Aggregate, pcp.NullInDom)
	for name, d := range texts {
		w.Desc(d, name)
		w.MetricText(d.PMID, "of "+p.secret("Helper%d"), "See "+p.secret("wiki%d")+" on https://"+p.secret("intra%d")+"."+domain+"/x")
	}
	w.Desc(events, "sample.event.records")
	w.Desc(param, "sample.event.param_string")
	w.Desc(opaque, "sample.aggregate.hullo")
	w.Desc(desc(70, 14, pcp.Uint32, own), "mmv."+p.secret("billing%d")+".queue."+p.secret("depth_%d"))
	users := []string{}
	for range 20 {
		users = append(users, p.secret("jürgen%d"))
	}
	lists := map[pcp.InDom][]pcp.Instance{}
	for i := 0; p.n < n; i++ {
		user := users[i%20]
		args := "--password=" + p.secret("hunter%d") + " -h " + p.secret("peer%d") + "." + domain
		lists[procs] = append(lists[procs], pcp.Instance{ID: int32(1000 + i), Name: fmt.Sprintf("%06d /opt/%s/bin/%s %s", 1000+i, p.secret("acme%d"), p.secret("daemon%d"), args)})
		lists[mounts] = append(lists[mounts], pcp.Instance{ID: int32(i), Name: "/dev/mapper/" + p.secret("vg%d") + "-" + p.secret("lv%d")})
		lists[boxes] = append(lists[boxes], pcp.Instance{ID: int32(i), Name: "/machine.slice/libpod-" + fmt.Sprintf("%064x", i*7919+1) + ".scope/" + p.secret("pod%d")})
		lists[own] = append(lists[own], pcp.Instance{ID: int32(i), Name: p.secret("Kunde%d") + " " + strings.ToUpper(user)})
	}
	for id, list := range lists {
		w.InDom(start, id, list)
		var labels []archive.LabelSet
		for _, in := range list {
			labels = append(labels, archive.LabelSet{Inst: in.ID, JSON: fmt.Sprintf(`{"container_name":%q,"site":{"room":%q,"rack":7},%q:true,"first":%q,"rest":%q}`,
				p.secret("box%d"), p.secret("Raum %d"), p.secret("key%d"), p.secret("half%dof"), p.secret("and%dhalf"))})
		}
		w.Labels(start, archive.InstanceLabels, uint32(id), labels)
	}
	hex := strings.Repeat("0", 22) + p.secret("%d") + "abcd"
	w.Labels(start, archive.ContextLabels, 0, []archive.LabelSet{{Inst: -1, JSON: fmt.Sprintf(`{"hostname":%q,"domainname":%q,"machineid":%q,"userid":1000,"team":"\u00e4 %s"}`, host, domain, hex[:32], p.secret("crew%d"))}})
	one := func(s string) []archive.Value { return []archive.Value{{Inst: -1, Blob: []byte(s)}} }
	set := func(name string, vals []archive.Value) archive.ValueSet {
		return archive.ValueSet{PMID: texts[name].PMID, Type: texts[name].Type, Values: vals}
	}
	addresses := []string{"10.77.3.9", "fd00:77::9:1", "52:54:77:12:ab:cd"}
	p.secrets = append(p.secrets, addresses...)
	var psargs, uids, dirs, boxNames, shares []archive.Value
	for i, in := range lists[procs] {
		_, cmd, _ := strings.Cut(in.Name, " ")
		psargs = append(psargs, archive.Value{Inst: in.ID, Blob: []byte(cmd)})
		uids = append(uids, archive.Value{Inst: in.ID, Blob: []byte(users[i%20])})
	}
	for i, in := range lists[mounts] {
		dirs = append(dirs, archive.Value{Inst: in.ID, Blob: []byte("/home/" + users[i%20] + "/" + url.PathEscape(p.secret("Projekt Ü%d")) + "/" + strings.ToUpper(users[i%20]))})
	}
	for _, in := range lists[boxes] {
		boxNames = append(boxNames, archive.Value{Inst: in.ID, Blob: []byte(p.secret("registry%d") + "." + domain + "/" + p.secret("image%d") + ":1.2")})
		shares = append(shares, archive.Value{Inst: in.ID, Val: 7})
	}
	message := func(s string) []byte {
		b := []byte{0, 0, 0, 1, 0x65, 0x53, 0xf1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1}
		b = append(b, byte(param.PMID>>24), byte(param.PMID>>16), byte(param.PMID>>8), byte(param.PMID), 6, 0, 0, byte(4+len(s)))
		b = append(b, s...)
		return append(b, make([]byte, -len(s)&3)...)
	}
	w.Record(start, []archive.ValueSet{
		set("pmcd.hostname", one(host+"."+domain)), set("kernel.uname.nodename", one(strings.ToUpper(host))),
		set("kernel.uname.release", one("6.1.0-"+host)),
		set("proc.psinfo.psargs", psargs), set("proc.id.uid_nm", uids), set("filesys.mountdir", dirs), set("containers.name", boxNames), set("cgroup.cpusched.shares", shares),
		set("mmv.app.status", one("logged in from "+strings.Join(addresses, " and ")+" as "+strings.ReplaceAll(users[3], "ü", `\u00fc`)+"@"+domain)),
		{PMID: events.PMID, Type: pcp.Event, Values: []archive.Value{{Inst: -1, Blob: message("open " + p.secret("ticket%d") + ` \x2fsrv\x2f` + p.secret("share%d"))}}},
		{PMID: opaque.PMID, Type: pcp.Aggregate, Values: []archive.Value{{Inst: -1, Blob: []byte(p.secret("opaque%d"))}}},
	})
	w.Record(start+60*second, []archive.ValueSet{set("mmv.app.status", one("%68%65%6c%6c%6f "+p.secret("again%d")+" of "+norm.NFD.String(users[4])))})
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out
}

// A thousand secrets of all kinds, in all places and forms, and none of them
// in the result.
func TestPlantedSecretsAreGone(t *testing.T) {
	p := &planting{}
	original := plant(t, p, 1000)
	a := original.open(t, "planted")
	if len(p.secrets) < 1000 {
		t.Fatalf("%d secrets", len(p.secrets))
	}
	before := lowered(original)
	for _, s := range p.secrets { // all were planted
		if n := occurrences(before, s); n == 0 {
			t.Errorf("%s was not planted", s)
		}
	}
	table, err := redact.New(redact.Options{})
	if err != nil {
		t.Fatal(err)
	}
	q := Request{Parts: []*archive.Archive{a}, Rewrite: redacted(t, a, table)}
	out, _ := write(t, q)
	found, after := 0, lowered(out)
	for _, s := range p.secrets {
		if n := occurrences(after, s); n > 0 {
			if found++; found < 10 {
				t.Errorf("%s is still there, %d times", s, n)
			}
		}
	}
	for suffix, b := range out {
		if err := table.Scan("saved."+suffix, bytes.NewReader(b.Bytes())); err != nil {
			t.Error(err)
		}
	}
	pmlogcheck(t, "redacted", out, nil)
	b := out.open(t, "saved")
	if faults := b.Problems(); len(faults) > 0 {
		t.Errorf("problems of the saved archive = %v, want none", faults)
	}
	// Comparisons still work: equal texts stay equal, different ones stay
	// different.
	m, _ := a.Lookup("proc.id.uid_nm")
	x, _ := a.Observations(m.PMID)
	y, _ := b.Observations(m.PMID)
	same := map[string]string{}
	for i, s := range x.Series {
		from, to := string(x.Blobs.At(s.Runs[0].Val)), string(y.Blobs.At(y.Series[i].Runs[0].Val))
		if known, met := same[from]; met && known != to {
			t.Errorf("%s became %s and %s", from, known, to)
		}
		same[from] = to
	}
	if len(same) != 20 {
		t.Errorf("%d users", len(same))
	}
	total := 0
	for _, g := range table.Summary() {
		total += g.Texts
		if g.Texts == 0 && g.Kind != redact.Words && g.Kind != redact.Texts {
			t.Errorf("nothing of the kind %s", g.Kind)
		}
	}
	if total < 1000 {
		t.Errorf("the table has %d texts", total)
	}
	// The same key gives the same result; another key another one.
	again, _ := redact.New(redact.Options{Key: table.Key()})
	q.Rewrite = redacted(t, a, again)
	twice, _ := write(t, q)
	sameFiles(t, "with the same key", out, twice)
}

func redacted(t *testing.T, a *archive.Archive, table *redact.Table) Rewriter {
	t.Helper()
	r, err := Redact([]*archive.Archive{a}, table, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// occurrences counts a secret in all files: literally, in lower and upper
// case, and with its escapes undone.
func occurrences(f [][]byte, secret string) int {
	n := 0
	for _, low := range f {
		n += bytes.Count(low, []byte(strings.ToLower(secret)))
		n += bytes.Count(low, []byte(strings.ToLower(url.PathEscape(secret))))
		if nfd := norm.NFD.String(strings.ToLower(secret)); nfd != strings.ToLower(secret) {
			n += bytes.Count(low, []byte(nfd))
		}
		n += bytes.Count(low, []byte(strings.ReplaceAll(strings.ToLower(secret), "ü", `\u00fc`)))
	}
	return n
}

func lowered(f files) (list [][]byte) {
	for _, b := range f {
		list = append(list, bytes.ToLower(b.Bytes()))
	}
	return list
}

// A remaining text is found wherever it is, and success is not reported.
func TestScanFindsWhatIsLeft(t *testing.T) {
	p := &planting{}
	original := plant(t, p, 200)
	a := original.open(t, "planted")
	table, _ := redact.New(redact.Options{})
	redacted(t, a, table)
	for suffix, b := range original {
		if suffix == "index" {
			continue
		}
		err := table.Scan("saved."+suffix, bytes.NewReader(b.Bytes()))
		if err == nil || !strings.Contains(err.Error(), "nothing was saved") || !strings.Contains(err.Error(), "saved."+suffix) {
			t.Errorf(".%s: %v", suffix, err)
		}
	}
	if err := table.Scan(p.secrets[0]+".index", bytes.NewReader(original["index"].Bytes())); err == nil {
		t.Error("the host's name in a label or a file's name was not found")
	}
}
