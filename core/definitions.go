package core

import (
	"path"
	"slices"
	"strings"

	"pcpscope/core/api"
	"pcpscope/core/container"
	"pcpscope/core/derived"
	"pcpscope/core/pcp"
	"pcpscope/core/sorting"
)

// Definitions lists the derived metrics known to a source, its own and the
// built-in ones, by name. Built-in ones are listed only if their operands are
// logged; the source's own always, with the reason if one cannot be computed.
func (s *Session) Definitions(id api.SourceID) ([]api.Definition, error) {
	src, err := s.source(id)
	if err != nil {
		return nil, err
	}
	src.mu.Lock()
	defer src.mu.Unlock()
	own, left := map[string]bool{}, map[string]bool{} // left: cannot be computed
	for _, d := range src.derived.Definitions() {
		own[d.Name], left[d.Name] = true, true
	}
	list := []api.Definition{}
	add := func(d *derived.Definition, b *derived.Bound, fault *pcp.Fault) {
		a := api.Definition{Name: d.Name, Expression: d.Expr.Text, Oneline: d.Oneline, Help: d.Help, BuiltIn: !own[d.Name], Fault: fault}
		if b != nil {
			a.Metric = describeDerived(d, b)
		}
		list = append(list, a)
	}
	for _, a := range src.derived.Available(metadata{src}) {
		add(a.Definition, a.Bound, nil)
		delete(left, a.Name)
	}
	for name := range left {
		d := src.derived.Lookup(name)
		if _, logged := src.lookup(name); logged {
			add(d, nil, pcp.Faultf(pcp.BadExpression, "The source has a logged metric %s, which takes precedence.", name))
			continue
		}
		_, faults := src.derived.BindName(name, metadata{src})
		if len(faults) == 0 { // a guard leaves nothing to compute
			faults = []pcp.Fault{*pcp.Faultf(pcp.BadExpression, "It never has a value here: no operand is logged.")}
		}
		add(d, nil, &faults[0])
	}
	sorting.Stable(list, func(a, b api.Definition) int { return strings.Compare(a.Name, b.Name) })
	return list, nil
}

// Define adds definitions to a source, in the syntax of PCP's configuration
// files, pmRegisterDerived(3); they replace definitions of the same name.
// Invalid lines are reported and skipped. A definition whose operands the
// source lacks is kept: see Definitions. file names the text in faults. See
// spec/derived.md section 8.
func (s *Session) Define(id api.SourceID, text, file string) (api.Defined, error) {
	src, err := s.source(id)
	if err != nil {
		return api.Defined{}, err
	}
	return src.define(text, file), nil
}

func (src *source) define(text, file string) (out api.Defined) {
	var read derived.Set
	_, faults := read.Read(text, file)
	out = api.Defined{Names: []string{}, Faults: append([]pcp.Fault{}, faults...)}
	defer func() { out.Faults = someFaults(out.Faults) }()
	var names []string
	for _, d := range read.Definitions() {
		names = append(names, d.Name)
	}
	src.mu.Lock()
	defer src.mu.Unlock()
	src.derived.NoValue = src.derived.NoValue || read.NoValue
	src.derived.RemoveAll(names)
	for _, d := range read.Definitions() {
		made, err := src.derived.Define(d.Name, d.Expr.Text)
		if err != nil {
			out.Faults = append(out.Faults, *pcp.AsFault(err).In(file))
			continue
		}
		made.Oneline, made.Help = d.Oneline, d.Help
		out.Names = append(out.Names, d.Name)
	}
	src.list = nil
	return out
}

// Undefine removes one of a source's own definitions; it reports whether it
// existed.
func (s *Session) Undefine(id api.SourceID, name string) (bool, error) {
	src, err := s.source(id)
	if err != nil {
		return false, err
	}
	src.mu.Lock()
	defer src.mu.Unlock()
	src.list = nil
	return src.derived.Remove(name), nil
}

// Config returns a source's own definitions as a configuration file, which
// Define and PCP's tools read back.
func (s *Session) Config(id api.SourceID) (string, error) {
	src, err := s.source(id)
	if err != nil {
		return "", err
	}
	src.mu.Lock()
	defer src.mu.Unlock()
	return src.derived.Config(), nil
}

// Describe explains an expression in the context of a source, as a whole and
// part by part, or says what is wrong with it.
func (s *Session) Describe(id api.SourceID, expression string) (api.Description, error) {
	src, err := s.source(id)
	if err != nil {
		return api.Description{}, err
	}
	out := api.Description{Faults: []pcp.Fault{}, Parts: []api.Part{}}
	e, err := derived.Parse(expression)
	if err != nil {
		out.Faults = append(out.Faults, *pcp.AsFault(err))
		return out, nil
	}
	src.mu.Lock()
	defer src.mu.Unlock()
	md := metadata{src}
	b, faults := src.derived.Bind(e, md)
	for _, p := range src.derived.Parts(e, md) {
		part := api.Part{Span: [2]int(p.Span), Text: p.Text, Right: p.OK}
		if p.OK {
			part.Type, part.Units = typeName(p.Desc.Type), p.Desc.Units.String()
		}
		out.Parts = append(out.Parts, part)
	}
	if b == nil {
		out.Faults = append(out.Faults, faults...)
		return out, nil
	}
	out.Metric = describeDerived(&derived.Definition{Name: expression, Expr: e, PMID: pcp.NullPMID}, b)
	return out, nil
}

// maxSettings is the largest configuration file, in bytes: people write these. All
// that are opened together have at most maxAllSettings.
const (
	maxSettings    = 1 << 18
	maxAllSettings = 1 << 20
)

// maxDefineFaults is the maximum number of faults of a file that are listed.
const maxDefineFaults = 100

func someFaults(list []pcp.Fault) []pcp.Fault {
	if more := len(list) - maxDefineFaults; more > 0 {
		return append(list[:maxDefineFaults:maxDefineFaults], *pcp.Faultf(pcp.BadExpression, "There are %s more mistakes.", pcp.Grouped(more)))
	}
	return list
}

// settings reads configuration files of PCP's tools. Derived metrics are
// defined in the sources opened with them or, if there are none, in all open
// sources.
func (s *Session) settings(found *container.Expanded, opened []*source, reject func(string, pcp.Fault)) []api.Setting {
	kinds := map[container.Kind]string{container.Derived: "derived", container.View: "view", container.PmrepConfig: "pmrep", container.PmieRules: "rules"}
	if len(opened) == 0 {
		s.mu.Lock()
		opened = slices.Clone(s.sources)
		s.mu.Unlock()
	}
	var list []api.Setting
	all := int64(0)
	for _, l := range found.Leaves {
		kind, ok := kinds[l.Kind]
		if !ok {
			continue
		}
		if l.Size > maxSettings {
			reject(l.Name, *pcp.Faultf(pcp.OutOfMemory, "This configuration file is larger than %d KiB.", maxSettings>>10).In(l.Name))
			continue
		}
		if all += l.Size; all > maxAllSettings {
			reject(l.Name, *pcp.Faultf(pcp.OutOfMemory, "Together the configuration files are larger than %d KiB; open some of them.", maxAllSettings>>10).In(l.Name))
			continue
		}
		data := make([]byte, l.Size)
		if n, err := l.At.ReadAt(data, 0); n < len(data) {
			reject(l.Name, *pcp.AsFault(err))
			continue
		}
		set := api.Setting{Name: l.Name, Kind: kind, Text: text(string(data))}
		if kind == "derived" {
			set.Defined = &api.Defined{Names: []string{}, Faults: []pcp.Fault{}}
			for i, src := range opened {
				if d := src.define(set.Text, path.Base(l.Name)); i == 0 {
					set.Defined = &d
				}
			}
		}
		list = append(list, set)
	}
	return list
}
