package pmie

import (
	"regexp"

	"pcpscope/core/pcp"
)

// A sort is what an expression yields.
type sort uint8

const (
	number sort = iota
	truth
	text
)

var sortNames = [...]string{"number", "condition", "text"}

// A node is an operator with its operands, or an operand.
type node struct {
	op      string // as written: "+", "some_inst", "metric", "number", "string", "$hour"
	sort    sort
	a, b    *node
	value   float64 // of a number; of N%_inst, N
	text    string  // of a string, a metric's name, a regular expression
	matches *regexp.Regexp
	at      int // byte of the file

	// Of a metric.
	insts       []string
	chosen      map[string]bool // insts
	hosts       []string
	first, last int // samples, 0 is the present one
	desc        pcp.Desc
	bound       bool // the source has the metric
	raw         bool // under instant: a counter is not converted to a rate

	samples int // how many at each moment; 0 for a constant or an aggregate, which go with any
	set     pcp.InDom
	many    bool // a value for each instance
	id      int  // index of its memory
	height  int
}

// A Rule is one expression of a file.
type Rule struct {
	Name    string // as given, otherwise expr_1 and so on, as pmie names them
	Text    string // the condition as written
	At      int    // byte of the file where it begins
	Delta   int64  // nanoseconds between evaluations
	Actions []Action
	Fault   *pcp.Fault // why it is not evaluated
	root    *node
}

// An Action is what pmie would do when a condition becomes true. Nothing is
// ever executed here.
type Action struct {
	Kind    string   // print, syslog, alarm, shell or stomp
	Holdoff int64    // nanoseconds during which it would not be repeated
	Args    []string // pieces of its text, with %h, %i and %v as written
	Else    bool     // done only where the action before it fails
}

// Condition reports whether the rule yields true or false; otherwise it is a
// number, which has no lane.
func (r *Rule) Condition() bool { return r.root != nil && r.root.sort == truth }

// Program is a file of rules.
type Program struct {
	Rules  []Rule
	text   string
	nodes  int
	places places // of faults found last
}
