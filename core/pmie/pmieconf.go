package pmie

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"pcpscope/core/pcp"
)

// maxObjects is the most rules and variables of files of pmieconf's.
const maxObjects = 5000

// IsConf reports whether a text is a file of pmieconf's rules. See pmieconf(5).
func IsConf(text string) bool { return strings.HasPrefix(text, "#pmieconf-rules") }

// An object of a file of pmieconf's is a rule, a variable, or an action.
type object struct {
	kind, name string
	attributes map[string]string
	at         int
}

// Conf turns a file of pmieconf's rules into a file for pmie, as pmieconf(1)
// writes one for the defaults of all variables. Its rules are named; off lists
// those that are not enabled by default, and help has their descriptions.
func Conf(text string) (rules string, help map[string]string, off map[string]bool, err error) {
	if len(text) > maxText {
		return "", nil, nil, pcp.Faultf(pcp.BadExpression, "The file of rules is longer than %d bytes.", maxText)
	}
	defer func() {
		switch f := recover().(type) {
		case nil:
		case *pcp.Fault:
			err = f
		default:
			panic(f)
		}
	}()
	help, off = map[string]string{}, map[string]bool{}
	objects := objectsOf(text)
	globals := maps.Clone(confDefaults)
	for i := range objects {
		if name, global := strings.CutPrefix(objects[i].name, "global."); global {
			globals[name] = objects[i].usual()
		}
	}
	var b strings.Builder
	size := 0 // of b and help
	for i := 0; i < len(objects); i++ {
		if objects[i].kind != "rule" {
			continue
		}
		rule := &objects[i]
		own := map[string]string{}
		for _, o := range objects[i+1:] {
			if o.kind == "rule" {
				break
			}
			if !strings.HasPrefix(o.name, "global.") {
				own[o.name] = o.usual()
			}
		}
		x := expansion{text: text, at: rule.at, vars: [2]map[string]string{own, globals}}
		help[rule.name] = strings.TrimSpace(x.expand(rule.attributes["help"], 0))
		size += len(help[rule.name])
		off[rule.name] = rule.attributes["enabled"] == "no"
		says := x.expand("$rule$^ $action_expand$", 0)
		says = strings.NewReplacer("^", "", `\`, `\\`, `"`, `\"`, "$", "").Replace(says)
		head, tail, _ := strings.Cut(says, "%")
		if tail != "" {
			tail = "%" + tail
			if cut := strings.LastIndexByte(head, ' '); cut >= 0 {
				head, tail = head[:cut], head[cut:]+tail
			}
			tail = ` "` + tail + `"`
		}
		b.WriteString("delta = " + x.expand("$delta$", 0) + ";\n" + rule.name + " = " + x.expand(rule.attributes["predicate"], 0) +
			"\n-> syslog " + x.expand("$holdoff$", 0) + ` "` + head + `"` + tail + ";\n\n")
		if size+b.Len() > maxText {
			x.fail("With its variables the file has more than %d bytes.", maxText)
		}
	}
	return b.String(), help, off, nil
}

// usual returns the default of a variable as rules have it: of lists, the
// selections of hosts or instances.
func (o *object) usual() string {
	value, sign := o.attributes["default"], ""
	switch o.kind {
	case "hostlist":
		sign = ":"
	case "instlist":
		sign = "#"
	default:
		return value
	}
	var b strings.Builder
	for _, name := range strings.Fields(value) {
		b.WriteString(sign + "'" + strings.Trim(name, "'") + "' ")
	}
	return b.String()
}

// confDefaults are what pmieconf's files of global parameters say, which need
// not be there.
var confDefaults = map[string]string{"delta": "2 min", "holdoff": "10 min", "hosts": "", "action_expand": "%v@%h", "rule": ""}

// An expansion replaces $name$ in the attributes of a rule.
type expansion struct {
	text  string
	at    int
	vars  [2]map[string]string // of the rule, and of all
	count int
}

func (x *expansion) lookup(name string) (value string, known bool) {
	if value, known = x.vars[0][name]; !known {
		value, known = x.vars[1][name]
	}
	return value, known
}

func (x *expansion) fail(format string, args ...any) {
	panic((&places{}).fault(x.text, x.at, format, args...))
}

func (x *expansion) expand(s string, depth int) string {
	if x.count++; depth > maxMacros || x.count > 1000 {
		x.fail("The variables of this rule refer to each other too often.")
	}
	var b strings.Builder
	for {
		before, after, found := strings.Cut(s, "$")
		b.WriteString(before)
		if b.Len() > maxString {
			x.fail("With its variables this rule has more than %d bytes.", maxString)
		}
		if !found {
			return b.String()
		}
		name := macroName(after)
		value, known := x.lookup(name)
		if rest := after[len(name):]; name != "" && known && strings.HasPrefix(rest, "$") {
			b.WriteString(x.expand(value, depth+1))
			s = rest[1:]
		} else {
			b.WriteByte('$')
			s = after
		}
	}
}

// objectsOf reads the objects of a file.
func objectsOf(text string) (list []object) {
	at := 0
	fail := func(format string, args ...any) { panic((&places{}).fault(text, at, format, args...)) }
	// word reads a word, a text in quotes, or one of "=" and ";".
	word := func() (w string, quoted bool) {
		for at < len(text) {
			switch c := text[at]; {
			case strings.IndexByte(" \t\r\n\f\v", c) >= 0:
				at++
				continue
			case c == '#':
				end := strings.IndexByte(text[at:], '\n')
				if end < 0 {
					end = len(text) - at
				}
				at += end
				continue
			case c == '=' || c == ';':
				at++
				return string(c), false
			case c == '"':
				var b strings.Builder
				for i := at + 1; i < len(text); i++ {
					switch {
					case text[i] == '"':
						at = i + 1
						return b.String(), true
					case text[i] == '\\' && i+1 < len(text):
						i++
						fallthrough
					default:
						b.WriteByte(text[i])
					}
				}
				fail("This text in quotes has no end.")
			}
			start := at
			for at < len(text) && strings.IndexByte(" \t\r\n\f\v=;\"", text[at]) < 0 {
				at++
			}
			return text[start:at], false
		}
		return "", false
	}
	for {
		kind, quoted := word()
		if kind == "" && !quoted {
			return list
		}
		o := object{kind: kind, at: at, attributes: map[string]string{}}
		if !slices.Contains(objectKinds, kind) {
			fail("%s is no kind of object of pmieconf's: rule, string, double, percent and others are.", strconv.Quote(kind))
		}
		if o.name, quoted = word(); o.name == "" || quoted || !letter(o.name[0]) || strings.Trim(o.name, nameLetters) != "" {
			fail("A name is expected after %s.", kind)
		}
		for {
			attribute, quoted := word()
			if attribute == ";" && !quoted {
				break
			}
			if equals, _ := word(); quoted || equals != "=" {
				fail("An attribute, \"=\" and its value, or \";\" is expected in %s.", o.name)
			}
			value, quoted := word()
			if value == ";" && !quoted {
				fail("The attribute %s of %s has no value.", attribute, o.name)
			}
			o.attributes[attribute] = value
		}
		if list = append(list, o); len(list) > maxObjects {
			fail("The file has more than %d objects.", maxObjects)
		}
	}
}

var objectKinds = []string{"rule", "string", "double", "integer", "unsigned", "percent", "hostlist", "instlist", "print", "shell", "alarm", "syslog"}

const nameLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_."
