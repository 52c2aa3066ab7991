package derived

import (
	"strings"

	"pcpscope/core/pcp"
)

// Specs is the metadata arguments of mkconst() and novalue(); nil if not given.
// See spec/derived.md sections 3 and 5.1.
type Specs struct {
	Type  *pcp.Type
	Sem   *pcp.Semantics
	Units *pcp.Units
	InDom *pcp.InDom
	Meta  *Name // the metric that supplies what is not given

	texts []string // as written, such as "type=double"
}

func (s *Specs) list() []string { return s.texts }

// over overrides d with the given metadata.
func (s *Specs) over(d pcp.Desc) pcp.Desc {
	if s.Type != nil {
		d.Type = *s.Type
	}
	if s.Sem != nil {
		d.Sem = *s.Sem
	}
	if s.Units != nil {
		d.Units = *s.Units
	}
	if s.InDom != nil {
		d.InDom = *s.InDom
	}
	return d
}

var typesByName = map[string]pcp.Type{
	"32": pcp.Int32, "u32": pcp.Uint32, "64": pcp.Int64, "u64": pcp.Uint64, "float": pcp.Float, "double": pcp.Double,
}

var semanticsByName = map[string]pcp.Semantics{"counter": pcp.Counter, "instant": pcp.Instant, "discrete": pcp.Discrete}

// specs reads key=value, key=value up to the closing parenthesis. If a key is
// repeated the last one counts.
func (p *parser) specs() Specs {
	var s Specs
	for {
		key := p.expect(tokKeyword, "type=, semantics=, units=, indom= or meta=")
		p.expect(tokAssign, `"="`)
		value := p.tok
		if key.text == "meta" {
			p.expect(tokName, "a metric's name")
			s.Meta = &Name{value.span, value.text}
			s.texts = append(s.texts, "meta="+value.text)
		} else {
			switch value.kind {
			case tokString, tokName, tokInteger, tokDouble:
				p.advance()
			default:
				panic(p.wanted("the value of " + key.text))
			}
			s.set(key, value)
			s.texts = append(s.texts, key.text+`="`+value.text+`"`)
		}
		if p.tok.kind != tokComma {
			return s
		}
		p.advance()
	}
}

func (s *Specs) set(key, value token) {
	text, word := value.text, strings.ToLower(value.text)
	switch key.text {
	case "type":
		v, ok := typesByName[word]
		if !ok {
			panic(fault(value.span, "%s is not a type; the types of constants are 32, U32, 64, U64, float and double.", quote(text)))
		}
		s.Type = &v
	case "semantics":
		v, ok := semanticsByName[word]
		if !ok {
			panic(fault(value.span, "%s is not a semantics; these are counter, instant and discrete.", quote(text)))
		}
		s.Sem = &v
	case "units":
		v, _, err := pcp.ParseUnits(text)
		if err != nil {
			panic(fault(value.span, "%s", pcp.AsFault(err).Message))
		}
		s.Units = &v
	case "indom":
		v, ok := pcp.ParseInDom(text)
		if word == "null" {
			v, ok = pcp.NullInDom, true
		}
		if !ok || v != pcp.NullInDom && v.Domain() == 511 || word == "pm_indom_null" {
			panic(fault(value.span, "%s is not an instance domain; one is NULL, or domain.serial such as 60.1, up to 510.4194303.", quote(text)))
		}
		s.InDom = &v
	}
}

// checkConst rejects a number that does not fit its type.
func checkConst(x *Number, s Specs) {
	if !x.Int && s.Type != nil && s.Type.Integer() {
		panic(fault(x.Span, "The number %s has a fraction and cannot be of the type %s.", x.Text, *s.Type))
	}
}

func checkUnits(text string) *pcp.Fault {
	_, _, err := pcp.ParseUnits(text)
	return pcp.AsFault(err)
}

func checkDuration(text string) *pcp.Fault {
	_, err := parseDuration(text)
	return err
}

// parseDuration parses a length of time such as "5min" or "90 sec" and returns
// nanoseconds. It accepts the words of units, and "day".
func parseDuration(text string) (int64, *pcp.Fault) {
	bad := pcp.Faultf(pcp.BadExpression, `%s is not a length of time; write "5min", "30 sec" or "2 hours".`, quote(text))
	s := strings.TrimSpace(text)
	i := 0
	for i < len(s) && (isDigit(s[i]) || s[i] == '.') {
		i++
	}
	number, word := s[:i], strings.TrimSpace(s[i:])
	u, mult, err := pcp.ParseUnits(number + " " + word)
	day := strings.EqualFold(word, "day") || strings.EqualFold(word, "days") || strings.EqualFold(word, "d")
	if day {
		u, mult, err = pcp.ParseUnits(number + " hour")
		mult /= 24
	}
	if number == "" || err != nil || u != (pcp.Units{Time: 1, TimeScale: u.TimeScale}) {
		return 0, bad
	}
	ns := [...]float64{1, 1e3, 1e6, 1e9, 60e9, 3600e9}[u.TimeScale] / mult
	if !(ns >= 1 && ns < 1e18) {
		return 0, bad
	}
	return int64(ns + 0.5), nil
}
