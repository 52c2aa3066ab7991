// Package core is the facade: it opens what a user was given, says what that
// is, and answers questions about it. Everything above (the engine in the
// worker, tests, benchmarks) talks to a Session and never to a parser.
//
// A Session holds sources. A source is one archive, the archives of one host
// joined in time, or one MMV file. Opening reads labels and metadata and
// returns; the one pass over the data (package archive) then runs in the
// background (package loader), and questions that need its results wait for it.
//
// Parsing and computing are in the packages below core. The files here connect
// them to a source: what has been read of it, its budget, its time zone, the
// names of its instances. All of them build on source, window, timeline and
// pace, which is why they are one package. By subject:
//
//   - opening: open, openpath, joinsources, mmv, session, source, problems;
//     memory for the budget
//   - reading: readstate (how far), readwindow, lastvolume; gaps and recording
//     for what is missing, outagereasons for why
//   - values: fetch, fetchraw and fetchreduced, from evaluate (expressions
//     on a grid), observed (as logged) and timeline (one metric); columns,
//     eventrecords, lookback, window
//   - metadata: lists, metriclist, search, matching, completion, derive,
//     definitions; titles and containers for names of instances
//   - analysis: overview, findings, activity, summary, dashboards, importing,
//     days and unusual, processes, hosthistory, checkrule and runrules
//   - comparing: compare (with comparesettings and comparecommands), explain
//     (with explainconsumers), moves and story (with storytext), on hostseries
//   - writing: saving, exporting, digest
//   - common: pace (yielding and cancelling), mutex, prepare and answercache
package core
