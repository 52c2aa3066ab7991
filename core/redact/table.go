package redact

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"pcpscope/core/pattern"
	"pcpscope/core/pcp"
)

// Options say what to replace.
type Options struct {
	Without []Kind   // kinds that are kept
	Words   []string // the user's own: plain, or a regular expression between slashes
	Key     string   // of the pseudonyms, in hex; "" for a random one
	// Compose returns a text in Unicode normalization form C; nil means
	// golang.org/x/text, which a browser build leaves out.
	Compose func(string) string
}

// A Table maps texts to pseudonyms.
type Table struct {
	key      []byte
	off      map[Kind]bool
	words    []*regexp.Regexp
	entries  map[string]*entry // by the text in lower case
	taken    map[string]bool   // pseudonyms
	public   map[string]bool   // words that everybody knows
	match    *matcher          // for distinctive texts; nil until the table is sealed
	long     *matcher          // for texts that cannot occur by chance
	replaced map[string]string
	helps    int // number of help texts, which are left out
	compose  func(string) string
}

// An entry is one text and its replacement.
type entry struct {
	kind   Kind
	text   string // in its first spelling
	pseudo string
	places int
	word   bool // matches whole words only
	hunted bool // replaced wherever it occurs
}

// New returns an empty table.
func New(o Options) (*Table, error) {
	t := &Table{off: map[Kind]bool{}, entries: map[string]*entry{}, taken: map[string]bool{}, public: map[string]bool{}, replaced: map[string]string{}, compose: o.Compose}
	if t.compose == nil {
		t.compose = compose
	}
	for _, k := range o.Without {
		if !known(k) {
			return nil, pcp.Faultf(pcp.BadArgument, "There is no kind %q of texts to replace.", k)
		}
		t.off[k] = true
	}
	if o.Key == "" {
		t.key = make([]byte, 32)
		rand.Read(t.key)
	} else {
		var err error
		if t.key, err = hex.DecodeString(o.Key); err != nil || len(t.key) < 16 {
			return nil, pcp.Faultf(pcp.BadArgument, "The key of the pseudonyms must be at least 32 hexadecimal digits.")
		}
	}
	for _, w := range o.Words {
		w = strings.TrimSpace(w)
		if w == "" {
			continue
		}
		expr := regexp.QuoteMeta(w)
		if len(w) > 2 && w[0] == '/' && w[len(w)-1] == '/' {
			expr = w[1 : len(w)-1]
		} else if len(w) < shortest {
			return nil, pcp.Faultf(pcp.BadArgument, "%q is too short to be searched for: your own words must have at least %d characters.", w, shortest)
		}
		re, err := pattern.Compile("(?i)" + expr)
		if err != nil {
			return nil, pcp.Faultf(pcp.BadArgument, "%s is not a valid pattern: %v.", w, err)
		}
		t.words = append(t.words, re)
	}
	for w := range strings.FieldsSeq(publicWords) {
		t.public[w] = true
	}
	for name := range knownLabels {
		t.AddPublic(name)
	}
	return t, nil
}

// Key returns the key, in hex: the same key gives the same pseudonyms.
func (t *Table) Key() string { return hex.EncodeToString(t.key) }

// AddPublic adds the words of a text to those that are not searched for.
func (t *Table) AddPublic(text string) {
	for _, w := range words(text) {
		t.public[w] = true
	}
}

func words(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// add adds a text of a kind, unless the kind is kept.
func (t *Table) add(k Kind, text string) {
	if t.off[k] || text == "" {
		return
	}
	low := t.fold(text)
	e := t.entries[low]
	if e == nil {
		e = &entry{kind: k, text: text}
		t.entries[low] = e
		e.word = len(low) < 8 || k == Addresses
	}
	e.places++
}

// distinctive reports whether a text is replaced wherever it occurs. Short ones
// and common words are replaced only where their meaning is certain.
func (t *Table) distinctive(k Kind, low string) bool {
	if k == Addresses {
		return true
	}
	if len(low) < 4 {
		return false
	}
	letters := strings.ContainsFunc(low, unicode.IsLetter)
	if !letters {
		return len(low) >= 8
	}
	list := words(low)
	return len(list) == 0 || slices.ContainsFunc(list, func(w string) bool { return !t.public[w] && len(w) > 1 && strings.ContainsFunc(w, unicode.IsLetter) })
}

var encoding = base32.NewEncoding("abcdefghijkmnpqrstuvwxyz23456789").WithPadding(base32.NoPadding)

// pseudonym returns the replacement of an entry.
func (t *Table) pseudonym(e *entry) string {
	if e.pseudo != "" {
		return e.pseudo
	}
	low := t.fold(e.text)
	for n := 0; ; n++ {
		mac := hmac.New(sha256.New, t.key)
		fmt.Fprintf(mac, "%s\x00%s\x00%d", e.kind, low, n)
		sum := mac.Sum(nil)
		p := t.shaped(e.kind, low, sum)
		if t.taken[p] || t.entries[p] != nil {
			continue
		}
		if t.match != nil && n < 50 {
			if _, _, hit := t.match.find([]byte(p), 0); hit {
				continue
			}
		}
		t.taken[p] = true
		e.pseudo = p
		return p
	}
}

// shaped gives a pseudonym the form of what it replaces, where programs parse
// it.
func (t *Table) shaped(k Kind, low string, sum []byte) string {
	code := encoding.EncodeToString(sum)[:8]
	switch {
	case k == Addresses && ipv4().MatchString(low):
		return fmt.Sprintf("198.%d.%d.%d", 18+sum[0]&1, sum[1], sum[2]) // for benchmarks: RFC 2544
	case k == Addresses && mac().MatchString(low):
		return fmt.Sprintf("02:%02x:%02x:%02x:%02x:%02x", sum[0], sum[1], sum[2], sum[3], sum[4]) // locally administered
	case k == Addresses:
		return fmt.Sprintf("2001:db8:%x:%x::%x", uint16(sum[0])<<8|uint16(sum[1]), uint16(sum[2])<<8|uint16(sum[3]), uint16(sum[4])<<8|uint16(sum[5])) // documentation: RFC 3849
	case k == Machines:
		return hex.EncodeToString(sum[:16])
	case k == Domains:
		return "domain-" + code + ".invalid"
	case k == Names:
		return "n_" + code
	}
	return stems[k] + "-" + code
}

// Seal ends the collection: from now on the table replaces. proceed, which may
// be nil, is called often and stops the work by returning an error.
func (t *Table) Seal(proceed func() error) error {
	t.match, t.long = newMatcher(), newMatcher()
	lows := make([]string, 0, len(t.entries))
	for low := range t.entries {
		lows = append(lows, low)
	}
	slices.Sort(lows)          // so that collisions are resolved the same way each time
	for i, low := range lows { // all public words are known now
		if i%256 == 0 && proceed != nil {
			if err := proceed(); err != nil {
				return err
			}
		}
		e := t.entries[low]
		if e.hunted = e.kind == Words || t.distinctive(e.kind, low); !e.hunted {
			continue
		}
		t.match.add(needle{low, e.word, e})
		if len(low) >= longText {
			t.long.addLong(needle{low, false, e})
		}
	}
	for i, low := range lows {
		if i%256 == 0 && proceed != nil {
			if err := proceed(); err != nil {
				return err
			}
		}
		t.pseudonym(t.entries[low])
	}
	return nil
}

// A Group is what is replaced of one kind.
type Group struct {
	Kind     Kind
	Title    string
	On       bool
	Texts    int // distinct ones
	Places   int
	Local    int // of the texts: short or common ones, replaced only where their meaning is certain
	Examples [][2]string
}

// Summary lists what is replaced, by kind.
func (t *Table) Summary() []Group {
	at := map[Kind]int{}
	list := make([]Group, len(Kinds))
	for i, k := range Kinds {
		list[i] = Group{Kind: k.Kind, Title: k.Title, On: !t.off[k.Kind]}
		at[k.Kind] = i
	}
	lows := make([]string, 0, len(t.entries))
	for low := range t.entries {
		lows = append(lows, low)
	}
	slices.Sort(lows)
	for _, low := range lows {
		e := t.entries[low]
		g := &list[at[e.kind]]
		g.Texts++
		g.Places += e.places
		if !e.hunted {
			g.Local++
		}
		if len(g.Examples) < 20 {
			g.Examples = append(g.Examples, [2]string{e.text, e.pseudo})
		}
	}
	list[at[Help]].Texts, list[at[Help]].Places = t.helps, t.helps
	return list
}
