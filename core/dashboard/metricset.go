package dashboard

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// ParseMetricsets reads a configuration of pmrep(1): one dashboard with a table
// for each metricset. name is the file's name. If a metricset is defined twice
// the last definition wins, as with pmrep.
//
// Options that only control how pmrep prints (widths, headers, delimiters,
// timestamps) are silently ignored.
func ParseMetricsets(name, text string) Import {
	var im Import
	d := Dashboard{ID: "import-" + name, Title: strings.TrimSuffix(name, ".conf"), Group: Imported, What: "Imported from the metricsets in " + name + "."}
	for _, section := range iniSections(text, &im) {
		if section.name == "options" || section.name == "global" {
			continue
		}
		p := section.panel(&im)
		if len(p.Series) == 0 {
			im.Left = append(im.Left, Omission{section.line, "[" + section.name + "]", "None of its metrics could be read."})
			continue
		}
		d.Panels = append(d.Panels, p)
	}
	d.Panels = lastOfEach(d.Panels)
	if len(d.Panels) > 0 {
		im.Dashboards = []Dashboard{d}
	}
	return im
}

type iniSection struct {
	name    string
	line    int
	entries []iniEntry
}

type iniEntry struct {
	key, value string
	line       int
	more       []string // further lines of the value
}

// lastOfEach leaves of the panels with one ID the last.
func lastOfEach(list []Panel) []Panel {
	last := map[string]int{}
	for i := range list {
		last[list[i].ID] = i
	}
	out := list[:0]
	for i := range list {
		if last[list[i].ID] == i {
			out = append(out, list[i])
		}
	}
	return out
}

// iniSections splits the file: [section], key = value, values that continue on
// indented lines, # and ; before comments, %% for a percent sign.
func iniSections(text string, im *Import) []iniSection {
	var list []iniSection
	for i, line := range strings.Split(text, "\n") {
		trimmed := strings.TrimSpace(line)
		switch {
		case trimmed == "" || trimmed[0] == '#' || trimmed[0] == ';':
		case trimmed[0] == '[' && strings.HasSuffix(trimmed, "]"):
			list = append(list, iniSection{name: trimmed[1 : len(trimmed)-1], line: i + 1})
		case len(list) == 0:
			im.Left = append(im.Left, Omission{i + 1, clip(trimmed), "It comes before the first [section]."})
		case line[0] == ' ' || line[0] == '\t':
			if n := len(list[len(list)-1].entries); n > 0 {
				e := &list[len(list)-1].entries[n-1]
				e.more = append(e.more, strings.ReplaceAll(trimmed, "%%", "%"))
			}
		default:
			key, value, found := strings.Cut(trimmed, "=")
			if !found {
				if key, value, found = strings.Cut(trimmed, ":"); !found {
					im.Left = append(im.Left, Omission{i + 1, clip(trimmed), "A line \"name = value\" is expected."})
					continue
				}
			}
			s := &list[len(list)-1]
			s.entries = append(s.entries, iniEntry{key: strings.TrimSpace(key), value: strings.ReplaceAll(strings.TrimSpace(value), "%%", "%"), line: i + 1})
		}
	}
	for _, s := range list {
		for i := range s.entries {
			if e := &s.entries[i]; e.more != nil {
				e.value = strings.TrimSpace(e.value + " " + strings.Join(e.more, " "))
			}
		}
	}
	return list
}

// printing are the options of a metricset, as opposed to its metrics.
var printing = strings.Fields(`header instinfo unitinfo globals timestamp samples interval timefmt delimiter precision precision_force width width_force repeat_header colxrow
	instances rank predicate sort_metric limit_filter limit_filter_force omit_flat live_filter interpol count_scale space_scale time_scale count_scale_force space_scale_force time_scale_force
	type type_prefer derived ignore_incompat ignore_unknown names_change extheader fixed_header output outfile source speclocal version static_header separate_header include_labels include_texts
	invert_filter overall_rank overall_rank_alt runtime colxrow host archive`)

var columnOptions = []string{"label", "formula", "instances", "unit", "type", "width", "precision", "limit"}

// column is one column of a metricset under construction.
type column struct {
	handle, metric, label, formula, instances, unit, typ string
	line                                                 int
}

func (s *iniSection) panel(im *Import) Panel {
	p := Panel{ID: s.name, Title: s.name, Style: Rows, What: "From the metricset " + s.name + "."}
	var columns []*column
	first := map[string]*column{} // by handle
	for _, e := range s.entries {
		if at := strings.LastIndexByte(e.key, '.'); at > 0 && slices.Contains(columnOptions, e.key[at+1:]) {
			if c := first[e.key[:at]]; c != nil {
				c.set(e.key[at+1:], e.value)
				continue
			}
		}
		if slices.Contains(printing, e.key) {
			if n, err := strconv.Atoi(e.value); e.key == "precision" && err == nil {
				p.Decimals = &n
			}
			if e.key == "derived" {
				im.Left = append(im.Left, Omission{e.line, clip(e.key + " = " + e.value), "Derived metrics are defined for the whole archive, not for a table."})
			}
			continue
		}
		c := &column{handle: e.key, metric: e.key, line: e.line}
		if strings.Contains(e.key, ".") || strings.Contains(e.value, ",") { // compact
			for i, v := range fields(e.value) {
				if i < len(compact) {
					c.set(compact[i], v)
				}
			}
		} else {
			c.metric = e.value
		}
		if columns = append(columns, c); first[c.handle] == nil {
			first[c.handle] = c
		}
	}
	for _, c := range columns {
		if expr, why := c.expression(); why != "" {
			im.Left = append(im.Left, Omission{c.line, clip(c.handle), why})
		} else {
			p.Series = append(p.Series, plain(c.name(), expr))
		}
	}
	return p
}

var compact = []string{"label", "instances", "unit", "type", "width", "precision", "limit"}

// fields splits at commas outside quotes and parentheses.
func fields(s string) []string {
	var list []string
	depth, from := 0, 0
	quoted := false
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\'':
			quoted = !quoted
		case quoted:
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == ',' && depth <= 0:
			list, from = append(list, strings.TrimSpace(s[from:i])), i+1
		}
	}
	return append(list, strings.TrimSpace(s[from:]))
}

func (c *column) set(option, value string) {
	value = strings.Trim(strings.TrimSpace(value), `'"`)
	switch option {
	case "label":
		c.label = value
	case "formula":
		c.formula = strings.TrimSpace(value)
	case "instances":
		c.instances = value
	case "unit":
		c.unit = value
	case "type":
		c.typ = value
	}
}

func (c *column) name() string {
	if c.label != "" {
		return c.label
	}
	return c.metric
}

// spaces are pmrep's names of units of space. Its units of time convert a time
// counter to utilisation, which is done here anyway.
var spaces = map[string]string{"b": "byte", "byte": "byte", "kb": "Kbyte", "kbyte": "Kbyte", "mb": "Mbyte", "mbyte": "Mbyte", "gb": "Gbyte", "gbyte": "Gbyte", "tb": "Tbyte", "tbyte": "Tbyte"}

// expression returns the column's expression, or why there is none.
func (c *column) expression() (expr, why string) {
	expr = c.metric
	if c.formula != "" {
		expr = c.formula
	} else if !strings.Contains(c.metric, ".") {
		return "", fmt.Sprintf("%q is neither an option nor a metric.", clip(c.metric))
	}
	if c.instances != "" {
		expr = "matchinst(/^(" + strings.ReplaceAll(c.instances, "/", `\/`) + ")$/, " + expr + ")"
	}
	if c.typ == "raw" {
		expr = "instant(" + expr + ")"
	}
	unit, _, _ := strings.Cut(strings.ToLower(c.unit), "/")
	if unit = strings.TrimSpace(unit); spaces[unit] != "" && !strings.Contains(c.unit, "/") {
		expr = "rescale(" + expr + `, "` + spaces[unit] + `")`
	}
	return expr, ""
}
