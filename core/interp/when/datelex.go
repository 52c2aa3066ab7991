package when

import (
	"strconv"
	"strings"
)

// kind is the kind of a word in free date text. See spec/interp.md section 15.5.
type kind uint8

const (
	end      kind = iota
	number        // 14
	signed        // -14
	sign          // any single character with a meaning: ':' '/' ','
	meridian      // val: hours to add
	monthWord
	dayWord
	ordinal  // last, next, third ...
	unitWord // val: seconds, or months below 0
	relative // yesterday, now ...: val days
	zoneWord // val: minutes west of Greenwich
	summer   // zone with daylight saving time: val as if without
	dst
	ago
	unknown
)

type token struct {
	kind kind
	val  int
	text string
}

// lexDate splits free date text into tokens. Text in parentheses is skipped.
func lexDate(s string) (tokens []token) {
	depth := 0
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c == '(':
			depth++
			i++
		case c == ')' && depth > 0:
			depth--
			i++
		case depth > 0 || skipBlanks(s, i) > i:
			i++
		case c >= '0' && c <= '9' || (c == '-' || c == '+') && i+1 < len(s) && s[i+1] >= '0' && s[i+1] <= '9':
			j := i + 1
			for j < len(s) && s[j] >= '0' && s[j] <= '9' {
				j++
			}
			n, err := strconv.Atoi(strings.TrimPrefix(s[i:j], "+"))
			t := token{number, n, s[i:j]}
			if c == '-' || c == '+' {
				t.kind = signed
			}
			if err != nil || n > 1e9 || n < -1e9 {
				t.kind = unknown
			}
			tokens = append(tokens, t)
			i = j
		case c == '-' || c == '+': // before a word it has no meaning
			i++
		case lettersLen(s[i:i+1]) > 0:
			j := i
			for j < len(s) && (lettersLen(s[j:j+1]) > 0 || s[j] == '.') {
				j++
			}
			tokens = append(tokens, word(s[i:j]))
			i = j
		default:
			tokens = append(tokens, token{sign, int(c), s[i : i+1]})
			i++
		}
	}
	if depth > 0 {
		tokens = append(tokens, token{unknown, 0, "("})
	}
	return append(tokens, token{kind: end})
}

// word classifies a word.
func word(text string) token {
	w := strings.ToLower(text)
	switch strings.ReplaceAll(w, ".", "") {
	case "am":
		return token{meridian, 0, text}
	case "pm":
		return token{meridian, 12, text}
	case "dst":
		return token{dst, 0, text}
	case "ago":
		return token{ago, 0, text}
	}
	if i := nameIndex(monthNames, w, "sept"); i >= 0 {
		return token{monthWord, i + 1, text}
	}
	if i := nameIndex(dayNames, w, "tues", "wednes", "thur", "thurs"); i >= 0 {
		return token{dayWord, i, text}
	}
	if t, ok := dateWords[w]; ok {
		t.text = text
		return t
	}
	if t, ok := dateWords[strings.TrimSuffix(w, "s")]; ok && t.kind == unitWord {
		t.text = text
		return t
	}
	bare := strings.ReplaceAll(w, ".", "")
	if hours, ok := zones[bare]; ok {
		return token{zoneWord, int(hours * 60), text}
	}
	if hours, ok := summerZones[bare]; ok {
		return token{summer, int(hours * 60), text}
	}
	if len(w) == 1 {
		if west, ok := military(w[0]); ok {
			return token{zoneWord, west * 60, text}
		}
	}
	return token{unknown, 0, text}
}

// nameIndex finds a month or day: its full name, its first three letters, or
// these and a dot; also other abbreviations, by their first three letters.
func nameIndex(names []string, w string, others ...string) int {
	for i, name := range names {
		if w == name || w == name[:3] || w == name[:3]+"." {
			return i
		}
		for _, o := range others {
			if (w == o || w == o+".") && strings.HasPrefix(o, name[:3]) {
				return i
			}
		}
	}
	return -1
}

// dateWords are units of time and ordinals. Units of variable length are
// months, as negative numbers.
var dateWords = map[string]token{
	"year": {kind: unitWord, val: -12}, "month": {kind: unitWord, val: -1},
	"fortnight": {kind: unitWord, val: 14 * 86400}, "week": {kind: unitWord, val: 7 * 86400}, "day": {kind: unitWord, val: 86400},
	"hour": {kind: unitWord, val: 3600}, "minute": {kind: unitWord, val: 60}, "min": {kind: unitWord, val: 60},
	"second": {kind: unitWord, val: 1}, "sec": {kind: unitWord, val: 1},

	"tomorrow": {kind: relative, val: 1}, "yesterday": {kind: relative, val: -1}, "today": {kind: relative}, "now": {kind: relative}, "this": {kind: relative},

	"last": {kind: ordinal, val: -1}, "next": {kind: ordinal, val: 2},
	"first": {kind: ordinal, val: 1}, "third": {kind: ordinal, val: 3}, "fourth": {kind: ordinal, val: 4},
	"fifth": {kind: ordinal, val: 5}, "sixth": {kind: ordinal, val: 6}, "seventh": {kind: ordinal, val: 7},
	"eighth": {kind: ordinal, val: 8}, "ninth": {kind: ordinal, val: 9}, "tenth": {kind: ordinal, val: 10},
	"eleventh": {kind: ordinal, val: 11}, "twelfth": {kind: ordinal, val: 12},
}

// zones are hours west of Greenwich, as of when the language was designed.
var zones = map[string]float64{
	"gmt": 0, "ut": 0, "utc": 0, "wet": 0, "wat": 1, "at": 2, "ast": 4, "est": 5, "cst": 6, "mst": 7, "pst": 8, "yst": 9, "hst": 10,
	"cat": 10, "ahst": 10, "nt": 11, "idlw": 12, "cet": -1, "met": -1, "mewt": -1, "swt": -1, "fwt": -1, "eet": -2, "bt": -3,
	"zp4": -4, "zp5": -5, "zp6": -6, "wast": -7, "cct": -8, "jst": -9, "east": -10, "gst": -10, "nzt": -12, "nzst": -12, "idle": -12,
}

// summerZones are zones with daylight saving time, as hours without it.
var summerZones = map[string]float64{
	"bst": 0, "adt": 4, "edt": 5, "cdt": 6, "mdt": 7, "pdt": 8, "ydt": 9, "hdt": 10, "mest": -1, "sst": -1, "fst": -1,
	"wadt": -7, "eadt": -10, "nzdt": -12,
}

// military returns the hours west of Greenwich of a one-letter zone, with the
// sign used by PCP's parser.
func military(c byte) (west int, ok bool) {
	switch {
	case c >= 'a' && c <= 'i':
		return int(c-'a') + 1, true
	case c >= 'k' && c <= 'm':
		return int(c-'k') + 10, true
	case c >= 'n' && c <= 'y':
		return -(int(c-'n') + 1), true
	}
	return 0, c == 'z'
}
