package shrink

import (
	"bytes"
	"slices"
	"testing"
)

// A program without the names that nothing reads behaves the same, and is
// smaller: it still prints errors, which are found to be errors as it runs.
func TestDropNamesLeavesTheProgram(t *testing.T) {
	program := stacks(t)
	same, err := edit(program, asIs, leave)
	if err != nil {
		t.Fatal(err)
	}
	without, err := edit(program, asIs, func(memory []byte) error { return dropNames(memory, nil) })
	if err != nil {
		t.Fatal(err)
	}
	if a, b := len(zipped(t, contents(t, same, dataSection))), len(zipped(t, contents(t, without, dataSection))); b > a*95/100 {
		t.Errorf("%d bytes of data became %d", a, b)
	}
	before, after := contents(t, same, dataSection), contents(t, without, dataSection)
	for _, tt := range []struct {
		name string
		kept bool
	}{
		{"\x01\x05Error", true},        // of the interface error
		{"\x01\x06String", true},       // of fmt.Stringer
		{"\x00\x08lockSlow", false},    // of sync.Mutex
		{"\x00\x0bstackguard0", false}, // a field of runtime.g
	} {
		if got := bytes.Contains(after, []byte(tt.name)); got != tt.kept {
			t.Errorf("the program has the name %q: %t; before: %t", tt.name, got, bytes.Contains(before, []byte(tt.name)))
		}
	}
	runs(t, without, "main.main")
}

// A program that finds methods by reflection keeps their names.
func TestDropNamesKeepsWhatReflectionFinds(t *testing.T) {
	program := stacks(t)
	same, err := edit(program, asIs, func(memory []byte) error {
		before := slices.Clone(memory)
		if err := dropNames(memory, []string{"main.main", "reflect.Value.MethodByName"}); err != nil {
			return err
		}
		if !bytes.Equal(before, memory) {
			t.Error("names are gone")
		}
		return nil
	})
	if err != nil || len(same) == 0 {
		t.Fatal(err)
	}
}

func TestDropNamesRefusesWhatItDoesNotKnow(t *testing.T) {
	head := append([]byte(pclnMagic), make([]byte, 200)...)
	for name, memory := range map[string][]byte{"nothing": nil, "no tables": make([]byte, 1000), "an empty header": head} {
		if dropNames(memory, nil) == nil {
			t.Errorf("%s is taken for a program", name)
		}
	}
}
