package interp

import "testing"

// Memory that was given back is zero when it is taken again, and only taken for as
// much as it has room for.
func TestMemory(t *testing.T) {
	m := new(Memory)
	used := []float64{1, 2, 3}
	m.Free(Reduced{Values: used})
	if list := m.take(4); len(list) != 4 || &list[0] == &used[0] {
		t.Errorf("4 values are taken from memory for 3")
	}
	list := m.take(2)
	if &list[0] != &used[0] || list[0] != 0 || list[1] != 0 || len(list) != 2 {
		t.Errorf("2 values from memory for 3: %v, want zeros there", list)
	}
	if list := m.take(2); &list[0] == &used[0] {
		t.Error("the same memory is taken twice")
	}
	m = nil
	m.Free(Reduced{Values: used})
	if list := m.take(3); len(list) != 3 || list[0] != 0 {
		t.Errorf("without memory: %v, want three zeros", list)
	}
}
