package shrink

import (
	"bytes"
	"testing"
)

// memory returns the contents that a data section leaves in a memory of n
// bytes.
func memory(t *testing.T, program []byte, n int) (memory []byte, segments int) {
	t.Helper()
	memory = make([]byte, n)
	r := reader{b: program, at: 8}
	for r.at < len(program) {
		kind, body := r.byte(), r.bytes(r.uint())
		if kind != dataSection {
			continue
		}
		s := reader{b: body}
		count := s.uint()
		for range count {
			s.bytes(2)
			at := s.int()
			s.byte()
			copy(memory[at:], s.bytes(s.uint()))
		}
		segments += int(count)
		if s.bad || s.at != len(body) {
			t.Fatalf("the data section cannot be read")
		}
	}
	return memory, segments
}

func leave([]byte) error { return nil }

func asIs(*function) {}

// edit returns a module with its code and its memory changed.
func edit(program []byte, code func(*function), memory func([]byte) error) ([]byte, error) {
	m, err := readModule(program)
	if err != nil {
		return nil, err
	}
	if err := m.editCode(func(_ int, f *function) { code(f) }); err != nil {
		return nil, err
	}
	if err := m.editMemory(memory); err != nil {
		return nil, err
	}
	return m.write(), nil
}

func TestSegmentsAreJoined(t *testing.T) {
	program := []byte("\x00asm\x01\x00\x00\x00" +
		"\x01\x01x" + // a section to be left alone
		"\x0b\x23\x05" + // data: five segments
		"\x00\x41\x08\x0b\x02ab" + // at 8
		"\x00\x41\x0c\x0b\x01c" + // 2 zeros later
		"\x00\x41\x0d\x0b\x01d" + // at once
		"\x00\x41\xcf\x00\x0b\x01e" + // at 79, 65 zeros later: apart
		"\x00\x41\x80\x01\x0b\x02fg" + // at 128, 48 zeros later
		"\x00\x02zz")
	merged, err := edit(program, asIs, leave)
	if err != nil {
		t.Fatal(err)
	}
	want, _ := memory(t, program, 200)
	got, segments := memory(t, merged, 200)
	if !bytes.Equal(got, want) || string(want[8:14]) != "ab\x00\x00cd" || string(want[128:130]) != "fg" {
		t.Errorf("memory is %q, was %q", got, want)
	}
	if segments != 2 {
		t.Errorf("there are %d segments, want 2", segments)
	}
	if !bytes.Contains(merged, []byte("\x01\x01x")) || !bytes.HasSuffix(merged, []byte("\x00\x02zz")) {
		t.Error("other sections were touched")
	}
	for n := range len(program) {
		edit(program[:n], asIs, leave) // must not panic
	}
	if _, err := edit([]byte("no module"), asIs, leave); err == nil {
		t.Error("something else is taken for a module")
	}
}

func TestAppendIntReadsBack(t *testing.T) {
	for _, n := range []int64{0, 63, 64, 127, 128, -1, -64, -65, 2535548, 1 << 31, -1 << 31} {
		r := reader{b: appendInt(nil, n)}
		if got := r.int(); got != n || r.at != len(r.b) {
			t.Errorf("%d reads back as %d", n, got)
		}
	}
}
