package archive

import (
	"bytes"
	"slices"
	"testing"

	"pcpscope/core/pcp"
	"pcpscope/internal/damaged"
)

// corpusFor adds one file of each seed archive. Small ones: the fuzzer is
// slow on large ones, and TestMutations has those.
func corpusFor(f *testing.F, suffix string) {
	for _, m := range []memory{small(f), varied(f, 2), varied(f, 3)} {
		f.Add(m[suffix].Bytes())
		for _, bad := range damaged.Copies(m[suffix].Bytes(), 300) {
			f.Add(bad)
		}
	}
}

// FuzzLabel: a label is parsed or rejected.
func FuzzLabel(f *testing.F) {
	corpusFor(f, "index")
	for version := range byte(6) {
		label := slices.Clone(varied(f, 3)["0"].Bytes()[:labelLenV3])
		label[7] = version
		f.Add(label)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if l, fault := readLabel(data, "a.0", 0); fault == nil && l.Version != 2 && l.Version != 3 {
			t.Errorf("version %d", l.Version)
		}
	})
}

// FuzzMetadata puts any .meta file beside a good volume.
func FuzzMetadata(f *testing.F) {
	corpusFor(f, "meta")
	rest := small(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		exercise(t, files{"meta": data, "0": rest["0"].Bytes(), "index": rest["index"].Bytes()})
	})
}

// FuzzVolume puts any data volume beside good metadata.
func FuzzVolume(f *testing.F) {
	corpusFor(f, "0")
	v3, v2 := varied(f, 3), varied(f, 2)
	f.Fuzz(func(t *testing.T, data []byte) {
		exercise(t, files{"0": data, "meta": v3["meta"].Bytes()})
		exercise(t, files{"0": data, "meta": v2["meta"].Bytes(), "index": v2["index"].Bytes()})
	})
}

// FuzzIndex puts any index beside good data, which must be readable
// nonetheless.
func FuzzIndex(f *testing.F) {
	corpusFor(f, "index")
	rest := small(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		a := load(t, files{"index": data, "meta": rest["meta"].Bytes(), "0": rest["0"].Bytes()}.group())
		if n := len(a.Records()); n != 10 {
			t.Errorf("%d records, want 10", n)
		}
	})
}

// FuzzEvents unpacks any event array.
func FuzzEvents(f *testing.F) {
	one := []byte{0, 0, 0, 1, 0x54, 0x64, 2, 0xc3, 0, 8, 0x7b, 0x3f, 0, 0, 0, 1, 0, 0, 0, 0}
	for _, data := range append(damaged.Copies(one, 300), one) {
		f.Add(data, true)
		f.Add(data, false)
	}
	f.Fuzz(func(t *testing.T, data []byte, high bool) {
		kind := pcp.Event
		if high {
			kind = pcp.HighresEvent
		}
		UnpackEvents(data, kind)
	})
}

// FuzzLabelTree: merging any label texts is idempotent.
func FuzzLabelTree(f *testing.F) {
	for _, text := range []string{`{"a":{"b":[1,{"c":"}"}]},"d":"\"x"}`, `{"a":`, `{"a"`, `{"a":{`, `{"a":"`, `{"a":{}}}`, `[1]`, `"`, `1`, ` `, `{"a":1,"a":{"b":2},"a":{"c":3}}`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var one, two labelTree
		one.merge(data)
		two.merge([]byte(one.text()))
		if one.text() != two.text() {
			t.Errorf("%q, then %q", one.text(), two.text())
		}
	})
}

// FuzzPacking restores the runs that were packed.
func FuzzPacking(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, uint8(0))
	f.Fuzz(func(t *testing.T, data []byte, packing uint8) {
		packing %= 3
		var events []event
		row := uint32(0)
		for r := bytes.NewReader(data); r.Len() >= 10; {
			var b [10]byte
			r.Read(b[:])
			row += uint32(b[0])<<16 | uint32(b[9])
			e := event{row: row & (1<<30 - 1), val: be64(b[1:])}
			if packing == packFloat {
				e.val = uint64(uint32(e.val))
			}
			events = append(events, e)
		}
		runs := unpackRuns(nil, packEvents(nil, events, packing), packing)
		if len(runs) != len(events) {
			t.Fatalf("%d runs of %d events", len(runs), len(events))
		}
		for i, e := range events {
			if i > 0 && e.row < events[i-1].row {
				return // row numbers wrapped, which no archive does
			}
			if runs[i].Row != e.row || runs[i].Val != e.val {
				t.Fatalf("run %d is %v, want %v", i, runs[i], e)
			}
		}
	})
}
