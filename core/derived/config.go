package derived

import (
	"fmt"
	"strconv"
	"strings"

	"pcpscope/core/pcp"
)

// Read adds the definitions of a configuration file, text, to the set. It
// returns how many were defined and what was wrong: invalid lines are skipped.
// Faults name the file, and the line in Field; Span is the position in an
// expression, counted from after the "=".
//
// Unlike PCP 7.2.1, it also accepts lines of blanks, comments that do not begin
// in the first column, and a last line without a newline. See spec/derived.md
// section 8.
func (s *Set) Read(text, file string) (n int, faults []pcp.Fault) {
	c := &config{set: s, file: file, rest: strings.ReplaceAll(text, "\r\n", "\n"), line: 1}
	for c.rest != "" {
		c.definition()
	}
	return c.defined, c.faults
}

// A config is the state of reading a configuration file.
type config struct {
	set     *Set
	file    string
	rest    string // not yet read
	line    int    // number of the first line of rest
	defined int
	faults  []pcp.Fault
}

func (c *config) fault(line int, format string, args ...any) {
	c.add(line, pcp.Faultf(pcp.BadExpression, format, args...))
}

func (c *config) add(line int, f *pcp.Fault) {
	g := f.In(c.file)
	g.Field = fmt.Sprintf("line %d", line)
	g.Message = fmt.Sprintf("Line %d: %s", line, g.Message)
	c.faults = append(c.faults, *g)
}

// next returns the next line, with those joined to it by a backslash at the
// end.
func (c *config) next() string {
	var joined strings.Builder
	for {
		part, rest, more := strings.Cut(c.rest, "\n")
		c.rest = rest
		c.line++
		before, goesOn := strings.CutSuffix(part, `\`)
		if goesOn && more && strings.HasSuffix(before, " ") { // a newline instead of the blank preserves the layout
			before = strings.TrimRight(before, " \t") + "\n"
		}
		joined.WriteString(before)
		if !goesOn || !more {
			return joined.String()
		}
	}
}

// definition reads a definition, over several lines if it has a quoted string
// that continues.
func (c *config) definition() {
	start, at := c.rest, c.line
	line := c.next()
	trimmed := strings.TrimSpace(line)
	switch {
	case trimmed == "":
		return
	case trimmed[0] == '#':
		if word, options, _ := strings.Cut(trimmed[1:], " "); strings.EqualFold(word, "control") {
			c.control(at, options)
		}
		return
	}
	name, value, ok := strings.Cut(line, "=")
	name, attribute, isAttribute := strings.Cut(strings.TrimSpace(name), "(")
	switch name = strings.TrimSpace(name); {
	case !ok:
		c.fault(at, `There is no "=" in this line.`)
	case name == "":
		c.fault(at, `The name of the derived metric is missing before the "=".`)
	case !validName(name):
		c.fault(at, "%s cannot be the name of a metric: names are words of letters, digits and _ that begin with a letter, joined by single dots.", quote(name))
	case isAttribute:
		c.attribute(at, name, strings.TrimSpace(attribute), strings.ReplaceAll(value, "\n", " "), start)
	default:
		expression := strings.TrimSpace(value)
		if expression == "" {
			c.fault(at, `The expression of %s is missing after the "=".`, name)
			return
		}
		if _, err := c.set.Define(name, expression); err != nil {
			c.add(at, pcp.AsFault(err))
			return
		}
		c.defined++
	}
}

// attribute sets a help text. from is the file from this line on.
func (c *config) attribute(at int, name, attribute, value, from string) {
	attribute, closed := strings.CutSuffix(attribute, ")")
	attribute = strings.TrimSpace(attribute)
	value = strings.TrimLeft(value, " \t")
	if closed && value != "" && (value[0] == '"' || value[0] == '\'') {
		var ok bool
		if value, ok = c.quoted(at, from); !ok {
			return
		}
	} else if value == "" {
		c.fault(at, `The text of %s(%s) is missing after the "=".`, name, attribute)
		return
	}
	d := c.set.byName[name]
	var text *string
	switch {
	case !closed:
		c.fault(at, `The ")" after the attribute %s is missing.`, quote(attribute))
		return
	case attribute == "":
		c.fault(at, "The name of the attribute is missing between the parentheses.")
		return
	case d == nil:
		c.fault(at, "%s is not defined yet; an attribute must follow its definition.", name)
		return
	case attribute == "oneline":
		text = &d.Oneline
	case attribute == "helptext":
		text = &d.Help
	default:
		c.fault(at, "%s is not an attribute of a derived metric; these are oneline and helptext.", quote(attribute))
		return
	}
	if *text != "" {
		c.fault(at, "%s already has a %s.", name, attribute)
		return
	}
	*text = value
}

// quoted reads a quoted string, over as many lines as it takes, and the rest of
// the last one. from is the file from the definition's line on.
func (c *config) quoted(at int, from string) (text string, ok bool) {
	i := strings.IndexByte(from, '=') + 1
	i += strings.IndexAny(from[i:], `"'`)
	quote := from[i]
	var b strings.Builder
	for i++; i < len(from); i++ {
		switch ch := from[i]; {
		case ch == quote:
			tail, rest, _ := strings.Cut(from[i+1:], "\n")
			c.rest, c.line = rest, at+1+strings.Count(from[:i], "\n")
			if strings.TrimSpace(tail) != "" {
				c.fault(c.line-1, "What follows the closing quote is ignored: %s.", clip(strings.TrimSpace(tail)))
			}
			return b.String(), true
		case ch == '\\' && i+1 < len(from):
			if i++; from[i] != '\n' {
				b.WriteByte(from[i])
			}
		default:
			b.WriteByte(ch)
		}
	}
	c.fault(at, "The closing %c of the text is missing.", quote)
	return "", false
}

// control reads OPTION=integer, ... of a #control line. Option names may be
// abbreviated. See spec/derived.md section 8.3.
func (c *config) control(at int, options string) {
	for _, o := range strings.Split(strings.TrimSpace(options), ",") {
		name, value, ok := strings.Cut(o, "=")
		n, err := strconv.Atoi(value)
		switch known := control(name); {
		case !ok:
			c.fault(at, `There is no "=" in the option %s.`, quote(o))
		case known == "":
			c.fault(at, "There is no option %s.", quote(name))
		case err != nil || strings.HasPrefix(value, "+"), n < -1, n == 0 && strings.HasSuffix(known, "LIMIT"), n != 0 && n != 1 && !strings.HasSuffix(known, "LIMIT"):
			c.fault(at, "%s is not a value of the option %s.", quote(value), known)
		case known == "OPTION_NOVALUE":
			c.set.NoValue = n == 1
		} // the other options limit and debug memory in PCP
	}
}

func control(prefix string) string {
	for _, name := range []string{"GLOBAL_LIMIT", "CONTEXT_LIMIT", "DEBUG_SYNTAX", "DEBUG_SEMANTICS", "DEBUG_EVAL", "OPTION_NOVALUE"} {
		if prefix != "" && strings.HasPrefix(name, strings.ToUpper(prefix)) {
			return name
		}
	}
	return ""
}

// Config writes the set's own definitions as a configuration file, which Read
// and PCP can read.
func (s *Set) Config() string {
	var b strings.Builder
	if s.NoValue {
		b.WriteString("#control OPTION_NOVALUE=1\n")
	}
	for i, d := range s.list {
		if i > 0 {
			b.WriteByte('\n')
		}
		expression := d.Expr.Text
		if strings.ContainsAny(expression, "\r") || strings.Contains(expression, "\\\n") || strings.HasSuffix(expression, `\`) {
			expression = d.Expr.String()
		}
		expression = strings.ReplaceAll(strings.TrimSpace(expression), "\n", " \\\n")
		fmt.Fprintf(&b, "%s = %s\n", d.Name, expression)
		if d.Oneline != "" {
			fmt.Fprintf(&b, "%s(oneline) = %s\n", d.Name, configText(d.Oneline))
		}
		if d.Help != "" {
			fmt.Fprintf(&b, "%s(helptext) = %s\n", d.Name, configText(d.Help))
		}
	}
	return b.String()
}

// configText quotes a text that would be changed without quotes.
func configText(s string) string {
	if !strings.ContainsAny(s, "\n\r\\") && s == strings.TrimSpace(s) && s[0] != '"' && s[0] != '\'' {
		return s
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}
