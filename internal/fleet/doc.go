// Package fleet indexes archives of many hosts: hourly figures for each host,
// day and series, findings, and what was recorded, as a dataset stored beside
// the archives. docs/fleet.md is its guide, docs/spec/fleet.md the layout of
// its files.
//
// A day is a day in UTC. The data of a host and a day depend only on the
// archives that touch that day: an incremental run gives the same bytes as a
// full one.
package fleet
