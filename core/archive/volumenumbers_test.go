package archive

import (
	"bytes"
	"context"
	"encoding/binary"
	"strings"
	"testing"

	"pcpscope/core/pcp"
)

// nineRecords writes an archive of nine records, ten seconds apart, and returns its
// files.
func nineRecords(t *testing.T, version int) map[string][]byte {
	t.Helper()
	m := memory{}
	start := pcp.Time(1_600_000_000e9)
	w, err := NewWriter(Label{Version: version, PID: 7, Start: start, Host: "web", Timezone: "UTC"}, m.create)
	if err != nil {
		t.Fatal(err)
	}
	d := pcp.Desc{PMID: pcp.MakePMID(70, 1, 1), Type: pcp.Uint32, InDom: pcp.NullInDom, Sem: pcp.Instant}
	w.Desc(d, "my.value")
	for i := range 9 {
		w.Record(start+pcp.Time(i)*10e9, []ValueSet{{PMID: d.PMID, Type: d.Type, Values: []Value{{Inst: pcp.NoInstance, Val: uint64(i)}}}})
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for _, suffix := range []string{"0", "meta", "index"} {
		files[suffix] = bytes.Clone(m[suffix].Bytes())
	}
	return files
}

func openSmall(t *testing.T, files map[string][]byte) *Archive {
	t.Helper()
	m := func(suffix string) Member {
		return Member{Name: "web." + suffix, Size: int64(len(files[suffix])), At: bytes.NewReader(files[suffix])}
	}
	meta, index := m("meta"), m("index")
	a, err := Open(context.Background(), Group{Name: "web", Meta: &meta, Index: &index, Volumes: []Volume{{m("0"), 0}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Load(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	return a
}

// However the names of an archive's three files are permuted, it is read
// according to its labels.
func TestSwappedNames(t *testing.T) {
	for _, version := range []int{2, 3} {
		is := nineRecords(t, version)
		for _, order := range [][3]string{{"0", "meta", "index"}, {"meta", "0", "index"}, {"index", "meta", "0"}, {"0", "index", "meta"}, {"meta", "index", "0"}, {"index", "0", "meta"}} {
			a := openSmall(t, map[string][]byte{"0": is[order[0]], "meta": is[order[1]], "index": is[order[2]]})
			if a.Start() != 1_600_000_000e9 || a.End() != 1_600_000_080e9 || len(a.Records()) != 9 || len(a.Metrics()) != 1 {
				t.Errorf("version %d, %v: %v to %v, %d records, %d metrics", version, order, a.Start().Std(), a.End().Std(), len(a.Records()), len(a.Metrics()))
			}
			swapped := order[0] != "0" || order[1] != "meta"
			if p := a.Problems(); len(p) > 1 || (len(p) == 1) != swapped || swapped && !strings.Contains(p[0].Message, "web."+map[bool]string{true: "0"}[order[0] == "meta"]) {
				t.Errorf("version %d, %v: %+v", version, order, p)
			}
		}
	}
}

// A damaged start in a label, or a timestamp that is years off, must not make
// the archive span years: the other labels or the records determine its time.
func TestDamagedStamps(t *testing.T) {
	const years = 0x1000_0000 // seconds: eight and a half
	for _, version := range []int{2, 3} {
		const at, head = 12, 4 // of the low half of the start in the label, and of the stamp in a record; spec/archive.md sections 4 and 5
		for _, tt := range []struct {
			name   string
			damage func(files map[string][]byte)
		}{
			{"start in the label of the volume", func(f map[string][]byte) { add(f["0"][at:], years) }},
			{"start in the label of the volume, earlier", func(f map[string][]byte) { add(f["0"][at:], -years) }},
			{"start in the label of the metadata", func(f map[string][]byte) { add(f["meta"][at:], years) }},
			{"start in the labels of all files", func(f map[string][]byte) {
				for _, b := range f {
					add(b[at:], years)
				}
			}},
			{"start in the labels of all files, earlier", func(f map[string][]byte) {
				for _, b := range f {
					add(b[at:], -years)
				}
			}},
			{"stamp of the first record", func(f map[string][]byte) { add(f["0"][recordAt(f["0"], 0)+head:], years) }},
			{"stamp of the first record, earlier", func(f map[string][]byte) { add(f["0"][recordAt(f["0"], 0)+head:], -years) }},
			{"stamp of a record", func(f map[string][]byte) { add(f["0"][recordAt(f["0"], 4)+head:], years) }},
			{"stamp of a record, earlier", func(f map[string][]byte) { add(f["0"][recordAt(f["0"], 4)+head:], -years) }},
			{"stamp of the last record", func(f map[string][]byte) { add(f["0"][recordAt(f["0"], 8)+head:], years) }},
		} {
			files := nineRecords(t, version)
			tt.damage(files)
			a := openSmall(t, files)
			if from, to := a.Start(), a.End(); from < 1_600_000_000e9 || from > 1_600_000_010e9 || to < 1_600_000_070e9 || to > 1_600_000_080e9 {
				t.Errorf("version %d, %s: %v to %v", version, tt.name, from.Std(), to.Std())
			}
			if len(a.Records()) < 8 || len(a.Problems()) == 0 && !strings.Contains(tt.name, "metadata") {
				t.Errorf("version %d, %s: %d records, %+v", version, tt.name, len(a.Records()), a.Problems())
			}
		}
	}
}

func add(b []byte, n int64) {
	binary.BigEndian.PutUint32(b, uint32(int64(binary.BigEndian.Uint32(b))+n))
}

// recordAt is where the nth record begins: each begins with its length.
func recordAt(volume []byte, n int) int {
	at := int(binary.BigEndian.Uint32(volume))
	for range n {
		at += int(binary.BigEndian.Uint32(volume[at:]))
	}
	return at
}
