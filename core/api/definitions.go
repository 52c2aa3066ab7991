package api

import "pcpscope/core/pcp"

// Definition is a derived metric known to a source, whether it can be computed
// there or not.
type Definition struct {
	Name       string     `json:"name"`
	Expression string     `json:"expression"`
	Oneline    string     `json:"oneline"`
	Help       string     `json:"help"`
	BuiltIn    bool       `json:"builtIn"`
	Metric     *Metric    `json:"metric"`          // in this source; null if it cannot be computed
	Fault      *pcp.Fault `json:"fault,omitempty"` // why not
}

// Defined is the answer to define: the names that the text defined, and what is
// wrong with it. Field of a fault is the line, Span the position in the
// expression there.
type Defined struct {
	Names  []string    `json:"names"`
	Faults []pcp.Fault `json:"faults"`
}

// Completion lists what may be inserted at a position of an expression.
type Completion struct {
	Span       [2]int      `json:"span"`  // what a candidate replaces, in UTF-16 units
	Total      int         `json:"total"` // candidates in all, of which the best are listed
	Candidates []Candidate `json:"candidates"`
}

// Candidate is one possible completion.
type Candidate struct {
	Text      string `json:"text"` // to insert: a function's includes its parenthesis
	Kind      string `json:"kind"` // "metric", "derived", "prefix", "function" or "instance"
	Name      string `json:"name"` // to display: of a function, its signature
	Help      string `json:"help"` // one line
	Type      string `json:"type"`
	Semantics string `json:"semantics"`
	Units     string `json:"units"`
}

// Description explains an expression in the context of a source.
type Description struct {
	Metric *Metric     `json:"metric"` // of the result; its name is the expression. Null when Faults is not empty
	Faults []pcp.Fault `json:"faults"`
	Parts  []Part      `json:"parts"` // the smallest first
}

// Part is a piece of an expression.
type Part struct {
	Span  [2]int `json:"span"` // in UTF-16 units
	Text  string `json:"text"`
	Right bool   `json:"right"` // false: it or a part of it is wrong
	Type  string `json:"type"`
	Units string `json:"units"`
}

// Setting is an opened file that holds no values but the configuration of a
// tool.
type Setting struct {
	Name string `json:"name"`
	Kind string `json:"kind"` // "derived", "view" (of pmchart), "pmrep" or "rules" (of pmie or pmieconf)
	Text string `json:"text"`
	// Defined is what a file of derived metrics defined in the sources opened
	// with it or, if it was opened alone, in all open sources; null for other
	// files.
	Defined *Defined `json:"defined"`
}
