// Package pcp has the basic types of Performance Co-Pilot: identifiers,
// descriptors, units, value types, times and error codes, each with PCP's own
// text form.
//
// It reads nothing and imports only the standard library; every other package
// of the project uses it. Names are those of PMAPI(3) without the "pm".
package pcp
