package hostile

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// JSON damages JSON by its values: they are lost, doubled, of another type, far
// too many, far too deep, or moved. The result is still valid JSON.
func (m *Mutator) JSON(seed []byte) []byte {
	var tree any
	d := json.NewDecoder(bytes.NewReader(seed))
	d.UseNumber()
	if d.Decode(&tree) != nil {
		return m.Bytes(slices.Clone(seed))
	}
	many := []int{3, 30, 3000} // the last two once: repeated doubling exceeds any memory
	howMany := func() int {
		k := m.IntN(len(many))
		n := many[k]
		if k > 0 {
			many = many[:1]
		}
		return n
	}
	for range 1 + m.IntN(4) {
		places := placesIn(&tree)
		p, other := places[m.IntN(len(places))], places[m.IntN(len(places))]
		switch m.IntN(8) {
		case 0:
			p.remove()
		case 1:
			was, is := *p.value(), *other.value()
			p.set(copyOf(is))
			if m.IntN(2) == 0 {
				other.set(copyOf(was))
			}
		case 2:
			p.repeat(m.IntN(howMany()))
		case 3:
			p.rename(strings.ToLower(m.Text(p.key)))
		default:
			p.set(m.value(*p.value(), howMany))
		}
	}
	out, err := json.Marshal(tree)
	if err != nil {
		return seed
	}
	return out
}

// oddNumbers are in JSON's notation; not all of them fit the fields that they
// end up in.
var oddNumbers = []string{"0", "-1", "1", "2", "63", "64", "65", "1000", "1001", "-0.5", "1e-320", "1e308", "-1e308", "1e999", "2147483648", "9223372036854775807", "-9223372036854775808", "18446744073709551616"}

// oddTexts are of the kinds that occur in sessions: names, expressions,
// patterns, times, zones.
var oddTexts = []string{
	"", " ", ".", "a..b", "a.b", "kernel.all.load", "disk.dev.avactive", "no.such.metric", "disk.dev.avactive[sda]", "rate(disk.all.read)", "sum(disk.dev.avactive) / 0", "topn(3, disk.dev.avactive)",
	"kernel.all.load +", "((((", "matchinst(/(x*)*y/, disk.dev.avactive)", "x = y", "my.a = my.a", "my.a = my.b\nmy.b = my.a", "(a*)*$", "[", "\\", "\x00", "\u202e", "<img src=x onerror=1>", "$(touch pwned)", "../../etc/passwd",
	"-9223372036854775808", "9223372036854775807", "0", "Europe/Berlin", "Nowhere/At-all", "mine", "EST5EDT", "cpu", "processes", "metricset:vmstat", "generated:disk",
}

// value returns a replacement for a value: mostly of the same type, as a reader
// would refuse other types at once.
func (m *Mutator) value(was any, howMany func() int) any {
	if m.IntN(8) == 0 {
		return []any{nil, true, json.Number("7"), "x", []any{}, map[string]any{}, []any{[]any{nil}}}[m.IntN(7)]
	}
	switch v := was.(type) {
	case bool:
		return !v
	case json.Number:
		return m.number()
	case []any:
		slices.Reverse(v)
		return v[:m.IntN(len(v)+1)]
	case string:
		if _, err := strconv.ParseInt(v, 10, 64); err == nil && m.IntN(8) > 0 { // a time
			if m.IntN(2) == 0 {
				return m.number().String()
			}
			return v[:len(v)-1] + strconv.Itoa(m.IntN(10))
		}
		switch m.IntN(6) {
		case 0:
			return strings.ToValidUTF8(m.Text(v), "?")
		case 1:
			return strings.ToValidUTF8(string(m.Bytes([]byte(v))), "?")
		case 2:
			n := 2 * howMany()
			return []string{strings.Repeat(v+" ", n), strings.Repeat("(", n) + "disk.all.read" + strings.Repeat(")", n), "disk.all.read" + strings.Repeat(" + disk.all.read", n)}[m.IntN(3)]
		}
		return oddTexts[m.IntN(len(oddTexts))]
	}
	return was
}

func (m *Mutator) number() json.Number {
	if m.IntN(2) == 0 {
		return json.Number(strconv.Itoa(m.IntN(12)))
	}
	return json.Number(oddNumbers[m.IntN(len(oddNumbers))])
}

// A place is the position of a value in a JSON tree: the root, in a list or
// under a key.
type place struct {
	root *any
	list []any
	dict map[string]any
	at   int
	key  string
}

// placesIn lists all places of a tree, always in the same order.
func placesIn(root *any) []place {
	all := []place{{root: root}}
	for i := 0; i < len(all) && i < 10_000; i++ {
		p := all[i]
		switch v := (*p.value()).(type) {
		case []any:
			for k := range v {
				all = append(all, place{list: v, at: k})
			}
		case map[string]any:
			for _, key := range slices.Sorted(maps.Keys(v)) {
				all = append(all, place{dict: v, key: key})
			}
		}
	}
	return all
}

func (p place) value() *any {
	switch {
	case p.dict != nil:
		v := p.dict[p.key]
		return &v
	case p.list != nil:
		return &p.list[p.at]
	}
	return p.root
}

func (p place) set(v any) {
	if p.dict != nil {
		p.dict[p.key] = v
		return
	}
	*p.value() = v
}

func (p place) remove() {
	switch {
	case p.dict != nil:
		delete(p.dict, p.key)
	case p.list == nil:
		*p.root = nil
	default:
		p.list[p.at] = nil
	}
}

// repeat adds copies of a value to its list, or makes it a list of copies.
func (p place) repeat(n int) {
	v := *p.value()
	many := make([]any, n)
	for i := range many {
		many[i] = v
	}
	if of, is := v.([]any); is && len(of) > 0 {
		many = many[:0]
		for range n {
			many = append(many, of[0])
		}
	}
	p.set(many)
}

func (p place) rename(key string) {
	if p.dict != nil {
		v := p.dict[p.key]
		delete(p.dict, p.key)
		p.dict[key] = v
	}
}

// copyOf is a deep copy of v, so that no tree contains itself.
func copyOf(v any) any {
	switch v := v.(type) {
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = copyOf(v[i])
		}
		return list
	case map[string]any:
		dict := make(map[string]any, len(v))
		for key := range v {
			dict[key] = copyOf(v[key])
		}
		return dict
	}
	return v
}
