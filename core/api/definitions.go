package api

import "pcpscope/core/pcp"

// Definition is a derived metric that a source knows, whether it can be
// computed there or not.
type Definition struct {
	Name       string     `json:"name"`
	Expression string     `json:"expression"`
	Oneline    string     `json:"oneline"`
	Help       string     `json:"help"`
	BuiltIn    bool       `json:"builtIn"`
	Metric     *Metric    `json:"metric"`          // what it is in this source; null where it cannot be computed
	Fault      *pcp.Fault `json:"fault,omitempty"` // why not
}

// Defined is the answer to define: which names the text defined, and what is
// wrong with it. Field of a fault is the line, Span the place in the
// expression there.
type Defined struct {
	Names  []string    `json:"names"`
	Faults []pcp.Fault `json:"faults"`
}

// Completion is what may be at a place of an expression.
type Completion struct {
	Span       [2]int      `json:"span"`  // what a candidate replaces, in UTF-16 units
	Total      int         `json:"total"` // candidates in all, of which the best are listed
	Candidates []Candidate `json:"candidates"`
}

// Candidate is one text that may be there.
type Candidate struct {
	Text      string `json:"text"` // to insert: a function's comes with its parenthesis
	Kind      string `json:"kind"` // "metric", "derived", "prefix", "function" or "instance"
	Name      string `json:"name"` // to show: of a function, how it is called
	Help      string `json:"help"` // one line
	Type      string `json:"type"`
	Semantics string `json:"semantics"`
	Units     string `json:"units"`
}

// Description is what an expression amounts to in a source.
type Description struct {
	Metric *Metric     `json:"metric"` // of the result; its name is the expression. Null when Faults is not empty
	Faults []pcp.Fault `json:"faults"`
	Parts  []Part      `json:"parts"` // the smallest first
}

// Part is a piece of an expression.
type Part struct {
	Span  [2]int `json:"span"` // in UTF-16 units
	Text  string `json:"text"`
	Right bool   `json:"right"` // false: it is wrong, or a part of it
	Type  string `json:"type"`
	Units string `json:"units"`
}

// Setting is a file among those that were opened which holds no values but
// settings of a tool.
type Setting struct {
	Name string `json:"name"`
	Kind string `json:"kind"` // "derived", "view" (of pmchart) or "pmrep"
	Text string `json:"text"`
	// Defined is what a file of derived metrics defined in the sources opened
	// with it or, where it came alone, in all that are open; null for others.
	Defined *Defined `json:"defined"`
}
