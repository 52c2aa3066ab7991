package state

// Compare is what changed between two windows, A and B.
type Compare struct{}

// BeginCompare begins to compare two windows.
func (w *Work) BeginCompare() { w.app.Comparing = true }
