// Package mmv reads Memory Mapped Values files: the small files in which a
// program keeps its own metrics for PCP's mmv agent to export, see mmv(5).
//
// Read interprets a file as the agent does: names, identifiers, instance
// domains, labels and values are the agent's. What the agent would drop, or
// fail on, is included as well, with the reason. A Recorder turns repeated
// reads of one file into series, so that a running program can be followed.
//
// spec/mmv.md in comments is docs/spec/mmv.md, the description of the format.
package mmv
