// Package when parses time as PCP's users write it: lengths of time, points in
// time, and the window options -S -T -A -O of every PCP tool. The language is
// that of PCPIntro(1) and pmParseTimeWindow(3); see spec/interp.md section 15.
//
// Two deviations are deliberate. PCP's tools complete texts such as "@3pm" or
// "@yesterday" from the present time; here the end of the archive is used
// instead. And of a local time that occurs twice, when summer time ends, they
// take the second moment; here it is the first one that the archive has.
package when
