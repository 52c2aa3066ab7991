package cli

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"pcpscope/core/archive"
	"pcpscope/core/pcp"
)

// Names from archives reach a terminal as text, whatever is in them, and JSON as
// they are.
func TestNamesAreNoCommandsOfTheTerminal(t *testing.T) {
	const evil = "sda\x1b]0;pwned\x07\u009b2J\u202edne\x08"
	dir := t.TempDir()
	label := archive.Label{Version: 3, PID: 1, Start: 1_700_000_000e9, Host: "host\x1b[2J", Timezone: "UTC"}
	w, err := archive.NewWriter(label, func(suffix string) (io.WriteCloser, error) { return os.Create(filepath.Join(dir, "a."+suffix)) })
	if err != nil {
		t.Fatal(err)
	}
	indom := pcp.MakeInDom(60, 1)
	full := pcp.Desc{PMID: pcp.MakePMID(60, 0, 1), Type: pcp.Double, InDom: indom, Sem: pcp.Instant}
	steps := []error{w.InDom(label.Start, indom, []pcp.Instance{{ID: 0, Name: evil}}), w.Desc(full, "filesys.full"), w.MetricText(full.PMID, "how full\x1b[2J", "help\x1b[2J")}
	for i := range 60 {
		steps = append(steps, w.Record(label.Start+pcp.Time(i)*10e9, []archive.ValueSet{{PMID: full.PMID, Type: full.Type, Values: []archive.Value{{Inst: 0, Val: 0x4058c00000000000 + uint64(i)}}}})) // 99
	}
	for _, err := range append(steps, w.Close()) {
		if err != nil {
			t.Fatal(err)
		}
	}
	run := func(args ...string) string {
		t.Helper()
		var out, said bytes.Buffer
		Run(t.Context(), Streams{In: strings.NewReader(""), Out: &out, Err: &said}, args)
		return out.String() + said.String()
	}
	at := filepath.Join(dir, "a")
	named := 0
	for _, args := range [][]string{{"info", at}, {"metrics", at}, {"values", "filesys.full", at}, {"summary", at}, {"findings", at}, {"explain", at}, {"story", at}, {"check", "filesys.full < 50", at},
		{"report", at}, {"moves", "filesys.full", at}, {"inspect", at}, {"info", filepath.Join(dir, "no\x1b[2Jsuch")}} {
		said := run(args...)
		if strings.ContainsFunc(strings.NewReplacer("\n", "", "\t", "", "\r", "").Replace(said), func(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) }) || strings.Contains(said, "\x9b") {
			t.Errorf("%v prints %q", args, said)
		}
		if strings.Contains(said, "pwned") {
			named++
		}
	}
	if named < 3 {
		t.Errorf("only %d commands name the instance, so the test proves little", named)
	}
	if said := run("summary", "--json", at); !strings.Contains(said, `]0;pwned`) || !strings.Contains(said, "\u009b2J") && !strings.Contains(said, `\u009b2J`) || !strings.Contains(said, "\u202e") && !strings.Contains(said, `\u202e`) {
		t.Errorf("as JSON it is %q", said)
	}
}
