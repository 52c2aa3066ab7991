package pmie

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A file in the form of pmieconf(5), written for this test.
const confFile = `#pmieconf-rules 1
rule disks.busy
	summary = "$rule$"
	predicate =
"some_inst (
    disk.dev.total $hosts$ $disks$ > $threshold$ count/sec // per disk
)"
	enabled = no
	version = 1
	help = "Some disk has more than threshold requests a second.";

string rule
	default = "Busy \"disk\"";
double threshold
	default = 60
	help = "Requests per second.";
instlist disks
	default = "sda 'sdb'";
string delta
	default = "4 mins";
string action_expand
	default = %v[%i]@%h
	display = no;

rule disks.idle
	predicate = "all_inst disk.dev.total < 1"
	enabled = yes;
`

func TestConf(t *testing.T) {
	rules, help, off, err := Conf(confFile)
	if err != nil || !IsConf(confFile) {
		t.Fatal(err)
	}
	p, err := Parse(rules)
	if err != nil || len(p.Rules) != 2 {
		t.Fatal(err, rules)
	}
	busy, idle := p.Rules[0], p.Rules[1]
	if busy.Fault != nil || busy.Name != "disks.busy" || busy.Delta != 240e9 || busy.root.print() != "some_inst((disk.dev.total #sda #sdb > 60))" || !off["disks.busy"] ||
		help["disks.busy"] != "Some disk has more than threshold requests a second." {
		t.Error(busy.Fault, busy.Name, busy.Delta, off, help)
	}
	if a := busy.Actions; len(a) != 1 || a[0].Kind != "syslog" || a[0].Holdoff != 600e9 || strings.Join(a[0].Args, "|") != `Busy "disk"| %v[%i]@%h` {
		t.Errorf("%+v", a)
	}
	if idle.Fault != nil || idle.Delta != 120e9 || off["disks.idle"] {
		t.Error(idle.Fault, idle.Delta, off)
	}
}

func TestConfMistakes(t *testing.T) {
	loop := "#pmieconf-rules 1\nrule a.b predicate = \"$x$\"; string x default = \"$x$$x$\";"
	for _, tt := range []struct{ in, want string }{
		{"#pmieconf-rules 1\nthing a.b;", `Line 2, column 6: "thing" is no kind of object`},
		{"rule 1;", "A name is expected after rule."},
		{"rule a.b predicate \"x\";", "An attribute,"},
		{"rule a.b predicate = ;", "The attribute predicate of a.b has no value."},
		{"rule a.b predicate = \"x", "This text in quotes has no end."},
		{loop, "too often"},
		{strings.Repeat("string a;", maxObjects+1), "objects"},
	} {
		if _, _, _, err := Conf(tt.in); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%.60s: %v, want %s", tt.in, err, tt.want)
		}
	}
}

// PCP's own rules are all within the language.
func TestShippedConf(t *testing.T) {
	const dir = "/var/lib/pcp/config/pmieconf"
	if _, err := os.Stat(dir); err != nil {
		t.Skip("there is no " + dir)
	}
	files, _ := filepath.Glob(dir + "/*/*")
	n := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !IsConf(string(text)) {
			t.Errorf("%s is not recognised", file)
			continue
		}
		rules, help, _, err := Conf(string(text))
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		p, err := Parse(rules)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		for _, r := range p.Rules {
			n++
			if r.Fault != nil || help[r.Name] == "" || len(r.Actions) != 1 {
				t.Errorf("%s: %s: %v\n%s", file, r.Name, r.Fault, rules)
			}
		}
	}
	t.Logf("%d rules in %d files", n, len(files))
	if n < 30 {
		t.Error("too few rules")
	}
}

func FuzzConf(f *testing.F) {
	f.Add(confFile)
	f.Add("rule a.b predicate = \"$x$\"; string x default = \"$x$\";")
	f.Add("#pmieconf-rules 1\nstring global.x default = \"$x$\";\nrule a.b predicate = \"$x$\";")
	f.Add("#pmieconf-rules 1\nstring global.x default = \"$y$\";\nstring global.y default = \"$x$\";\nrule a.b predicate = \"$x$\";")
	f.Fuzz(func(t *testing.T, text string) {
		if rules, _, _, err := Conf(text); err == nil {
			Parse(rules)
		}
	})
}
