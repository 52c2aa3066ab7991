package container

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func TestDescribe(t *testing.T) {
	label2 := "\x00\x00\x00\x84\x50\x05\x26\x02\x00\x00\x00\x01" + strings.Repeat("\x00", 120)
	label3 := "\x00\x00\x03\x28\x50\x05\x26\x03\x00\x00\x00\x01" + strings.Repeat("\x00", 796)
	label1 := "\x00\x00\x00\x84\x50\x05\x26\x01\x00\x00\x00\x01" + strings.Repeat("\x00", 120)
	for _, tt := range []struct {
		name, head string
		kind       Kind
		words      string
	}{
		{"a/web01.meta", label2, Member, "the metadata of the PCP archive web01"},
		{"web01.index", label3, Member, "the temporal index of the PCP archive web01"},
		{"20180416.10.00.12", label3, Member, "data volume 12 of the PCP archive 20180416.10.00"},
		{"web01.0", label2[:3], Member, "data volume 0 of the PCP archive web01"},
		{"web01", label2, Member, "a file of a PCP archive, but its name does not end in .meta, .index or a volume number; give it its name back"},
		{"old.meta", label1, Retired, "a file of a PCP archive of version 1, a format retired in 1998"},
		{"web01.0", "", Empty, "an empty file"},
		{"x.pdf", "%PDF-1.4", Other, "a PDF document"},
		{"acme", "MMV\x00\x01\x00\x00\x00", MMV, "a file of memory mapped values (MMV)"},
		{"Latest", "PCPFolio\nVersion: 1\n", FolioFile, "a folio: it names PCP archives, which were not given"},
		{"pmlogger.log", "Log for pmlogger on bozo started Sat Jul 28 17:37:04 2012\n", Other, "pmlogger's own log"},
		{"config.default", "# pmlogger(1) configuration file\nlog advisory on default {\n\tkernel.all.load\n}\n", Other, "a pmlogger configuration"},
		{"CPU", "#kmchart\nversion 1\n", View, "a pmchart view"},
		{"my.conf", "# mine\n\ndisk.util = 100 * rate(disk.all.avactive)\n", Derived, "derived metric definitions"},
		{"mine.pmie", "busy = kernel.all.load > 3;\n", PmieRules, "a file of rules for pmie"},
		{"rules", "// mine\ndelta = 5 min;\nhigh = kernel.all.load > 3;\n", PmieRules, "a file of rules for pmie"},
		{"rules", "some_inst disk.dev.total > 60 count/sec\n  -> print \"busy\";\n", PmieRules, "a file of rules for pmie"},
		{"full", "#pmieconf-rules 1\nrule filesys.filling\n", PmieRules, "a file of rules for pmie"},
		{"pmrep.conf", "#\n[global]\nheader = yes\n[x]\nmem.util.free = ,,MB\n", PmrepConfig, "a pmrep configuration"},
		{"x.json", `{"a": 1}`, Other, "a JSON file"},
		{"x.csv", "Time,load\n1,2\n", Other, "a table in CSV form"},
		{"sa12", "\x96\xd5\x75\x21\x00", Other, "a sysstat (sar) data file; sadf -l from sysstat turns it into a PCP archive"},
		{"x", "\x00\x01\x02\x03", Other, "of an unknown kind"},
		{"x.meta", "\x00\x01\x02\x03\x04\x05\x06\x07\x08", Other, "named like the metadata of the PCP archive x, but is something else inside"},
		{"x.xz", "\xfd7zXZ\x00", Packed, "an xz-compressed file"},
		{"hosts", "127.0.0.1 localhost\n", Other, "a text"},
		{"latin1", "caf\xe9 au lait, and so on for some time\n", Other, "a text"},
	} {
		kind, words := Describe(tt.name, []byte(tt.head))
		if kind != tt.kind || words != tt.words {
			t.Errorf("Describe(%q, %.20q) = %d, %q, want %d, %q", tt.name, tt.head, kind, words, tt.kind, tt.words)
		}
	}
}

// PCP's own settings, where PCP is installed.
func TestDescribeInstalled(t *testing.T) {
	seen := 0
	for _, tt := range []struct {
		glob string
		kind Kind
	}{
		{"/etc/pcp/derived/*.conf", Derived}, {"/etc/pcp/pmrep/*.conf", PmrepConfig}, {"/var/lib/pcp/config/pmchart/*", View},
		{"/var/lib/pcp/config/pmlogger/config.*", Other}, {"/var/lib/pcp/config/pmieconf/*/*", PmieRules}, {"/var/lib/pcp/config/pmie/config.*", PmieRules},
	} {
		paths, _ := filepath.Glob(tt.glob)
		for _, p := range paths {
			b, err := os.ReadFile(p)
			if err != nil {
				continue
			}
			seen++
			if strings.HasPrefix(string(b), "#!") || filepath.Base(p) == "00-defaults.conf" {
				continue // a view that is a program; a configuration of comments
			}
			if kind, words := Describe(p, b[:min(len(b), SniffLen)]); kind != tt.kind {
				t.Errorf("%s is taken for %q", p, words)
			}
		}
	}
	t.Logf("%d files compared", seen)
}

func TestSplitMember(t *testing.T) {
	for _, tt := range []struct {
		name, base string
		part       int
		ok         bool
	}{
		{"web01.meta", "web01", PartMeta, true}, {"a.b/web01.index.xz", "a.b/web01", PartIndex, true},
		{"d/20150105.17.57-00.3.bz2", "d/20150105.17.57-00", 3, true}, {"x.007", "", 0, false}, {"x.7x", "", 0, false},
		{"x.-1", "", 0, false}, {"x.+1", "", 0, false}, {"x.config", "", 0, false}, {"a.0/x", "", 0, false},
		{"x.99999999999", "", 0, false}, {"meta", "", 0, false}, {"x.0.lz4", "", 0, false}, {"x.0.gz.xz", "", 0, false},
	} {
		base, part, _, ok := SplitMember(tt.name)
		if base != tt.base || part != tt.part || ok != tt.ok {
			t.Errorf("SplitMember(%q) = %q, %d, %v", tt.name, base, part, ok)
		}
	}
}

func TestFolio(t *testing.T) {
	f, err := ParseFolio("logs/myfolio", []byte("PCPFolio\nVersion: 1\n# a comment\n\nCreated: on web01 at Mon\nCreator: pmchart view\n"+
		"Archive:\tweb01 \t a/20201124\nArchive: db01 /var/log/pcp/pmlogger/db01/20201124\nArchive: gone gone\nArchive: half\nNonsense: x\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := &Folio{"logs/myfolio", "pmchart view", "on web01 at Mon", []FolioArchive{
		{"web01", "a/20201124"}, {"db01", "/var/log/pcp/pmlogger/db01/20201124"}, {"gone", "gone"}}}
	if !reflect.DeepEqual(f, want) {
		t.Errorf("got %+v, want %+v", f, want)
	}
	found, missing := f.Select([]string{"20201124", "logs/a/20201124", "logs/db01/20201124", "other"})
	if !reflect.DeepEqual(found, []string{"logs/a/20201124", "logs/db01/20201124"}) || len(missing) != 1 || missing[0].Base != "gone" {
		t.Errorf("found %q, missing %v", found, missing)
	}
	for _, bad := range []string{"", "PCPfolio\n", "PCPFolio\nVersion: 2\n", "PCPFolio\nArchive: a b\n"} {
		if _, err := ParseFolio("x", []byte(bad)); err == nil && bad != "" {
			t.Errorf("%q is taken for a folio", bad)
		}
	}
}
