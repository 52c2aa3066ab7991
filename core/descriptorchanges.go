package core

import (
	"path"
	"strings"

	"pcpscope/core/archive"
	"pcpscope/core/pcp"
)

// bothRead says what becomes of the values of an archive where a later one describes their
// metric differently: see interp's joined frames.
func bothRead(earlier, later pcp.Desc, archive string) string {
	_, convertible := pcp.ScaleOf(earlier.Units, later.Units)
	switch {
	case earlier.Type.Numeric() != later.Type.Numeric() || later.Type.Numeric() && !convertible:
		return "There is no conversion, so values of " + archive + " are left out beside the later ones; opened alone, it has them."
	case (earlier.Sem == pcp.Counter) != (later.Sem == pcp.Counter):
		return "All values are read with the later semantics, which is wrong for those of " + archive + "; open it alone for these."
	}
	return "Values on each side are read as they were recorded."
}

// A descriptorChange is a difference between the descriptors of metrics in two archives of a
// set, and what becomes of the values of the earlier one.
type descriptorChange struct {
	earlier    *archive.Archive
	what, then string
}

// changes reports metrics that an archive of a set describes differently from
// earlier ones, those that changed alike together: a new version of an agent may have other
// types for hundreds. libpcp refuses such a set.
func changes(list []*archive.Archive) []pcp.Fault {
	type known struct {
		desc pcp.Desc
		in   *archive.Archive
	}
	seen := map[string]known{}
	faults := problemList{limit: maxProblems / 2}
	if len(list) == 1 {
		return nil
	}
	for _, a := range list {
		var kinds []descriptorChange // in the order of the first metric of each
		names := map[descriptorChange][]string{}
		for _, m := range a.Metrics() {
			if m.Guessed {
				continue
			}
			for _, name := range m.Names {
				k, ok := seen[name]
				if what := pcp.Difference(k.desc, m.Desc); ok && what != "" {
					c := descriptorChange{k.in, what, bothRead(k.desc, m.Desc, path.Base(k.in.Name()))}
					if names[c] == nil {
						kinds = append(kinds, c)
					}
					names[c] = append(names[c], text(name))
				}
				seen[name] = known{m.Desc, a}
			}
		}
		for _, c := range kinds {
			faults.add(*c.fault(a, names[c]))
		}
	}
	return faults.all()
}

// fault is the problem of metrics that are described differently from an archive on.
func (c descriptorChange) fault(from *archive.Archive, names []string) *pcp.Fault {
	between := "between " + path.Base(c.earlier.Name()) + " and " + path.Base(from.Name())
	f := pcp.Faultf(pcp.Corrupt, "%s changed %s %s.", names[0], c.what, between)
	if len(names) > 1 {
		f = pcp.Faultf(pcp.Corrupt, "%s changed %s %s: %s.", pcp.Counted(len(names), "metric", "metrics"), strings.Replace(c.what, "its ", "their ", 1), between, pcp.SomeOf(names))
	}
	f.Done = c.then
	f.When = &pcp.Span{Start: from.Start(), End: from.Start()}
	return f.In(from.Name())
}
