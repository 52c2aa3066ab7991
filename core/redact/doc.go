// Package redact replaces texts that identify people, machines and places by
// pseudonyms, and the same text always by the same one, so that comparisons
// still work.
//
// A Table first collects every text, with what is known about where it occurs;
// then it is sealed, and replaces. Two rules complement each other: a text
// where names are expected is always replaced there, and a distinctive text is
// replaced wherever it occurs, in any case and encoding. Searching the output
// in the same way finds what was missed.
package redact
