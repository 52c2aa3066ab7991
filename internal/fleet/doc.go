// Package fleet indexes archives of many hosts: for each host, day and series
// the figures of every hour, findings, and what was recorded, as a dataset that
// stays where the archives are. docs/fleet.md is its guide, docs/spec/fleet.md
// the layout of its files.
//
// A day is a day of UTC. What the dataset says of a host and a day follows from
// the archives that have something of that day, and from nothing else: a run
// over what is new gives the same bytes as one over everything.
package fleet
