package archive

import (
	"bytes"
	"context"
	"io"
	"testing"

	"pcpscope/core/pcp"
)

// TestCutCompressedFiles reads a compressed file up to where it was truncated
// or damaged.
func TestCutCompressedFiles(t *testing.T) {
	for _, name := range []string{"web01", "web01-v2"} {
		whole := groups(t, testdata+"live")[name]
		n := len(load(t, whole).Records())
		raw, err := io.ReadAll(io.NewSectionReader(whole.Volumes[0].At, 0, whole.Volumes[0].Size))
		if err != nil {
			t.Fatal(err)
		}
		cut := raw[:len(raw)/2]
		flipped := bytes.Clone(raw)
		flipped[len(raw)/2] ^= 0x55
		for what, data := range map[string][]byte{"cut": cut, "damaged": flipped} {
			g := whole
			g.Volumes = []Volume{{Member{whole.Volumes[0].Name, int64(len(data)), bytes.NewReader(data)}, 0}}
			a := load(t, g)
			if got := len(a.Records()); got == 0 || got >= n {
				t.Errorf("%s %s: %d records of %d", name, what, got, n)
			}
			found := false
			for _, p := range a.Problems() {
				found = found || p.File == g.Volumes[0].Name && (p.Kind == pcp.Truncated || p.Kind == pcp.Corrupt)
				t.Logf("%s %s: %v (%s)", name, what, p.Error(), p.Done)
			}
			if !found {
				t.Errorf("%s %s: no word of it", name, what)
			}
		}
	}
}

// upTo fails where a file is read beyond a limit.
type upTo struct {
	io.ReaderAt
	t     *testing.T
	limit int64
}

func (u upTo) ReadAt(p []byte, off int64) (int, error) {
	if off+int64(len(p)) > u.limit {
		u.t.Errorf("the bytes from %d to %d were read", off, off+int64(len(p)))
	}
	return u.ReaderAt.ReadAt(p, off)
}

// The end of a compressed volume says nothing about its last record: what it holds there is
// no trailer of a record.
func TestEndOfCompressedVolume(t *testing.T) {
	g := groups(t, testdata+"live")["web01"]
	v := g.Volumes[0]
	g.Volumes = []Volume{{Member{v.Name, v.Size, upTo{v.At, t, v.Size - 1}}, 0}}
	if _, err := (Options{}).Open(t.Context(), g); err != nil {
		t.Error(err)
	}
}

// TestGroups: one file of each component is used, the plain one first.
func TestGroups(t *testing.T) {
	at := bytes.NewReader(nil)
	var list []Member
	for _, name := range []string{
		"x/a.0.xz", "x/a.0", "x/a.meta.gz", "x/a.index", "x/a.12.zst", "x/a.007", "x/a.7x", "x/a.+1", "a.0", "b.index", "readme", "x/20150105.17.57-00.meta",
	} {
		list = append(list, Member{name, 1, at})
	}
	found, rest := Groups(list)
	var names []string
	for _, g := range found {
		text := g.Name + ":"
		for _, m := range g.Members() {
			text += " " + m.Name
		}
		names = append(names, text)
	}
	want := []string{"a: a.0", "x/20150105.17.57-00: x/20150105.17.57-00.meta", "x/a: x/a.meta.gz x/a.index x/a.0 x/a.12.zst"}
	if len(names) != len(want) {
		t.Fatalf("files = %q, want those of the archive", names)
	}
	for i := range want {
		check(t, "group", names[i], want[i])
	}
	rejected := map[string]bool{}
	for _, r := range rest {
		rejected[r.Name] = true
		if r.Fault.File != r.Name || r.Fault.Message == "" {
			t.Errorf("%s: fault %+v", r.Name, r.Fault)
		}
	}
	for _, name := range []string{"x/a.0.xz", "x/a.007", "x/a.7x", "x/a.+1", "b.index", "readme"} {
		if !rejected[name] {
			t.Errorf("%s was not rejected", name)
		}
	}
	check(t, "rejected", len(rest), 6)
}

// TestLabelRules goes through spec/archive.md section 4.4.
func TestLabelRules(t *testing.T) {
	good := varied(t, 3)["0"].Bytes()[:labelLenV3]
	l, fault := readLabel(good, "a.0", 0)
	if fault != nil || l.Host != "db01" || l.Zoneinfo != ":Europe/Berlin" {
		t.Fatalf("label = %+v, fault %v; want db01 in :Europe/Berlin", l, fault)
	}
	for _, tt := range []struct {
		name string
		edit func(b []byte) []byte
		kind pcp.FaultKind
		at   int64
	}{
		{"empty", func(b []byte) []byte { return nil }, pcp.Corrupt, 0},
		{"7 bytes", func(b []byte) []byte { return b[:7] }, pcp.Truncated, 7},
		{"cut", func(b []byte) []byte { return b[:200] }, pcp.Truncated, 200},
		{"magic", func(b []byte) []byte { b[4] = 0xde; return b }, pcp.Corrupt, 4},
		{"version 1", func(b []byte) []byte { b[7] = 1; return b }, pcp.Unsupported, 4},
		{"version 4", func(b []byte) []byte { b[7] = 4; return b }, pcp.Corrupt, 4},
		{"length", func(b []byte) []byte { b[3]++; return b }, pcp.Corrupt, 0},
		{"last length", func(b []byte) []byte { b[labelLenV3-1]++; return b }, pcp.Corrupt, labelLenV3 - 4},
		{"volume", func(b []byte) []byte { b[27] = 3; return b }, pcp.Corrupt, 24},
	} {
		_, fault := readLabel(tt.edit(bytes.Clone(good)), "a.0", 0)
		if fault == nil || fault.Kind != tt.kind || *fault.Offset != tt.at {
			t.Errorf("%s: %v, want %s at byte %d", tt.name, fault, tt.kind, tt.at)
		}
	}
}

// TestUnknownFeatures: the archive is read, with a warning.
func TestUnknownFeatures(t *testing.T) {
	m := varied(t, 3)
	m["0"].Bytes()[31] = 4
	a, err := Open(context.Background(), m.group("a"))
	if err != nil {
		t.Fatal(err)
	}
	if p := a.Problems(); len(p) != 1 || p[0].Kind != pcp.Unsupported || p[0].Field != "feature bits" {
		t.Errorf("problems %v", p)
	}
}
