// Package core is the facade: it opens what a user was given, says what that
// is, and answers questions about it. Everything above (the engine in the
// worker, tests, benchmarks) talks to a Session and never to a parser.
//
// A Session holds sources. A source is one archive, the archives of one host
// joined in time, or one MMV file. Opening reads labels and metadata and
// returns; the one pass over the data (package archive) then runs in the
// background, and questions that need its results wait for it.
package core
