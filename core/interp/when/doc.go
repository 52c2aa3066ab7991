// Package when reads time as PCP's users write it: lengths of time, points in
// time, and the window options -S -T -A -O of every PCP tool. The language is
// that of PCPIntro(1) and pmParseTimeWindow(3); spec/interp.md section 15.
//
// One thing differs on purpose. Where PCP's tools complete a text such as
// "@3pm" or "@yesterday" from the present day, an archive is what is being
// looked at here, so its end takes the place of the present time.
package when
