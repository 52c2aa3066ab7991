package derived

import (
	"slices"
	"strings"

	"pcpscope/core/pcp"
	"pcpscope/core/sorting"
)

// A Definition is a derived metric: a name for an expression.
type Definition struct {
	Name    string
	Expr    *Expr
	Oneline string // one-line help text; "" if there is none
	Help    string
	PMID    pcp.PMID // 511.0.3 and up, in the order of definition. See spec/derived.md section 9.2
}

// A Set is a number of definitions, which may use each other. The zero value is
// empty and ready to use.
type Set struct {
	// Under is another set, searched for names that this one does not define;
	// nil for none.
	Under *Set
	// NoValue is set by a #control line of a configuration: see Options.
	NoValue bool

	list   []*Definition
	byName map[string]*Definition
	made   int
}

// Lookup finds a definition by name, or returns nil.
func (s *Set) Lookup(name string) *Definition {
	if s == nil {
		return nil
	}
	if d := s.byName[name]; d != nil {
		return d
	}
	return s.Under.Lookup(name)
}

// Definitions lists the set's own definitions in the order they were made.
func (s *Set) Definitions() []*Definition { return slices.Clone(s.list) }

// Names lists what Lookup finds, in no particular order.
func (s *Set) Names() []string {
	if s == nil {
		return nil
	}
	names := s.Under.Names()
	for _, d := range s.list {
		if s.Under.Lookup(d.Name) == nil {
			names = append(names, d.Name)
		}
	}
	return names
}

// Define adds a definition. The name must be new to this set; it may hide one
// of Under. Define does not check whether it can be computed.
func (s *Set) Define(name, expression string) (*Definition, error) {
	if !validName(name) {
		return nil, pcp.Faultf(pcp.BadExpression, "%s cannot be the name of a metric: names are words of letters, digits and _ that begin with a letter, joined by single dots.", quote(name))
	}
	if s.byName[name] != nil {
		return nil, pcp.Faultf(pcp.BadExpression, "%s is defined already, as %s.", name, clip(s.byName[name].Expr.Text))
	}
	e, err := Parse(expression)
	if err != nil {
		return nil, err
	}
	d := &Definition{Name: name, Expr: e, PMID: pcp.MakePMID(511, (s.made+2)/1023, (s.made+2)%1023+1)}
	s.made++
	if s.byName == nil {
		s.byName = map[string]*Definition{}
	}
	s.byName[name] = d
	s.list = append(s.list, d)
	return d, nil
}

// Remove removes a definition; it reports whether it existed.
func (s *Set) Remove(name string) bool {
	d := s.byName[name]
	if d == nil {
		return false
	}
	delete(s.byName, name)
	s.list = slices.DeleteFunc(s.list, func(o *Definition) bool { return o == d })
	return true
}

// RemoveAll removes the definitions of a list of names, of which some may not exist.
func (s *Set) RemoveAll(names []string) {
	for _, name := range names {
		delete(s.byName, name)
	}
	s.list = slices.DeleteFunc(s.list, func(o *Definition) bool { return s.byName[o.Name] != o })
}

// Bind binds an expression that may use the set's definitions. A metric of the
// source takes precedence over a definition of the same name. See
// spec/derived.md section 9.1.
func (s *Set) Bind(e *Expr, md Metadata) (*Bound, []pcp.Fault) {
	return bind(e, md, s, Options{NoValue: s.NoValue}, "")
}

// BindName binds one definition, which must exist.
func (s *Set) BindName(name string, md Metadata) (*Bound, []pcp.Fault) {
	return s.bindName(name, md, Options{NoValue: s.NoValue})
}

// Try binds one definition, or returns nil if that is not possible. That is faster
// than making a fault, which looks for the metric that may have been meant.
func (s *Set) Try(name string, md Metadata) *Bound {
	b, _ := s.bindName(name, md, Options{NoValue: s.NoValue, quick: true})
	return b
}

func (s *Set) bindName(name string, md Metadata, opt Options) (*Bound, []pcp.Fault) {
	d := s.Lookup(name)
	if d == nil {
		return nil, []pcp.Fault{*pcp.Faultf(pcp.UnknownMetric, "There is no derived metric %s.", clip(name))}
	}
	b, faults := bind(d.Expr, md, s, opt, name)
	if b != nil {
		b.Desc.PMID = d.PMID
	}
	return b, faults
}

// An Available definition is one that can be computed from a source.
type Available struct {
	*Definition
	*Bound
}

// Available lists the definitions, including Under's, whose operands the source
// has, sorted by name. It leaves out those whose guard selects novalue(), and
// those hidden by a metric of the source.
func (s *Set) Available(md Metadata) []Available {
	var list []Available
	for _, name := range s.Names() {
		if _, hidden := md.Desc(name); hidden {
			continue
		}
		if b := s.Try(name, md); b != nil && len(b.Operands) > 0 {
			list = append(list, Available{s.Lookup(name), b})
		}
	}
	sorting.Stable(list, func(a, b Available) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// validName reports whether a name is valid for a derived metric. See
// spec/derived.md section 8.1.
func validName(name string) bool {
	for _, part := range strings.Split(name, ".") {
		if part == "" || !isLetter(part[0]) {
			return false
		}
		for i := range len(part) {
			if c := part[i]; !isLetter(c) && !isDigit(c) && c != '_' {
				return false
			}
		}
	}
	return true
}
