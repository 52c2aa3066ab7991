package dashboard

import (
	"strings"

	"pcpscope/core/pattern"
	"pcpscope/core/shell"
)

// Commands returns command lines that print the numbers of a panel with PCP's
// own tools. archive is the base name of the archive on the reader's machine.
//
// A plain metric or its rate is passed to pmrep unchanged: pmrep converts
// counters to rates. Everything else is passed as a derived metric. Series that
// use our extensions of the language, or names that cannot be pasted into a
// terminal, give no command; a bold line that sums up the others is left out.
// Event records can only be printed by pmval.
func Commands(p Panel, archive string) []string {
	if !shell.Pasteable(archive) {
		return nil
	}
	if p.Metricset != "" {
		set := strings.TrimPrefix(p.Metricset, "pmrep ")
		// Metrics that the archive lacks are left out, with everything derived
		// from them.
		return []string{"pmrep -a " + shell.Quote(archive) + " -z -t 10 -5 -I " + set}
	}
	var defs []string
	var names []string
	for i, s := range p.Series {
		if len(s.Exprs) == 0 || pattern.Extended(s.Exprs[0]) {
			if s.Bold && len(p.Series) > 1 {
				continue
			}
			return nil
		}
		expr := s.Exprs[0]
		if m := simple().FindStringSubmatch(expr); m != nil {
			names = append(names, m[1]+m[2])
			continue
		}
		name := "panel." + identifier(s.Name, i)
		if !shell.Pasteable(expr) {
			return nil
		}
		defs = append(defs, name+"="+divisible(expr))
		names = append(names, name)
	}
	line := "pmrep -a " + shell.Quote(archive) + " -z -t 10"
	if len(defs) > 0 {
		line += " -e " + shell.Quote(strings.Join(defs, ";"))
	}
	var list []string
	if p.Style != Event { // pmrep refuses them
		list = append(list, line+" "+strings.Join(names, " "))
	}
	if len(defs) == 0 {
		for _, n := range names {
			list = append(list, "pmval -a "+shell.Quote(archive)+" -z -t 10 "+n)
		}
	}
	return list
}

// divisible moves divisions out of matchinst(), where PCP takes a "/" for the
// beginning of a pattern: it is the operands that are matched. See
// pmRegisterDerived(3).
func divisible(expr string) string {
	m := matched().FindStringSubmatch(expr)
	if m == nil || !strings.Contains(m[2], "/") {
		return expr
	}
	return operand().ReplaceAllString(m[2], strings.ReplaceAll("matchinst("+m[1]+", ", "$", "$$")+"$0)")
}

var (
	matched = pattern.New(`^matchinst\((!?/(?:[^/\\]|\\.)*/), (.*)\)$`)
	operand = pattern.New(`\b(?:rate|delta)\([A-Za-z][A-Za-z0-9_.]*\)|\b[A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z][A-Za-z0-9_]*)+`)
	simple  = pattern.New(`^(?:rate\()?([A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z][A-Za-z0-9_]*)+)()\)?$`)
	others  = pattern.New(`[^A-Za-z0-9]+`)
)

func identifier(name string, i int) string {
	s := others().ReplaceAllString(name, "_")
	s = strings.Trim(s, "_")
	if s == "" || s[0] >= '0' && s[0] <= '9' {
		s = "s" + string(rune('a'+i%26)) + s
	}
	return s
}
