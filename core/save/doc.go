// Package save writes a source as a new PCP archive: all of it, a stretch of
// time, or some metrics and instances; the archives of a host joined into one;
// thinned; repaired; with texts replaced.
//
// Records are read again from their files, and written one by one: only
// metadata are kept in memory and, when thinning, one row of sums. A record is
// copied unchanged unless something in it must change.
package save
