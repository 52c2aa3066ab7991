// Package mmv reads Memory Mapped Values files: the small files in which a
// program keeps its own metrics for PCP's mmv agent to export, see mmv(5).
//
// Read makes of a file what the agent would: names, identifiers, instance
// domains, labels and values are the agent's. What the agent would drop, or
// stumble over, is there as well, with the reason. A Recorder turns repeated
// reads of one file into series, so that a running program can be watched.
//
// "Spec: mmv n" in comments refers to the description of the format in this
// project's documentation.
package mmv
