// Package redact replaces texts that name people, machines and places by
// pseudonyms: the same text by the same one, so that comparisons still work.
//
// A Table is filled by showing it every text, with what is known of the place
// where it stands; then it is sealed, and replaces. Two things hold together:
// a text that is where names are expected is replaced there, whatever it
// is, and what is distinctive is replaced wherever it occurs, in any case and
// encoding. The same search, over what was written, finds what was missed.
package redact
