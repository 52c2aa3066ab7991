// Package save writes what is open as a PCP archive of its own: all of it, a
// stretch of time, some metrics and instances; the archives of a host joined
// into one; thinned out; repaired; with texts replaced.
//
// Records are read a second time from the files they came from, and written
// one by one: nothing is kept but metadata and, where records are thinned, one
// row of sums. What a record says is copied as it is unless something of
// it must change.
package save
