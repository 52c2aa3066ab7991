package pmie

import (
	"math"
	"slices"
	"strings"
	"time"

	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// A cell is one value: of a condition 1 or 0.
type cell struct {
	v  float64
	ok bool // otherwise unknown
}

func known(v float64) cell { return cell{v, true} }

func condition(yes bool) cell {
	if yes {
		return cell{1, true}
	}
	return cell{0, true}
}

// An instance of a domain.
type instance struct {
	id   int32
	name string
}

// A value is what an expression yields at a moment: cells of the first sample
// by instance, then those of the second and so on.
type value struct {
	insts []instance // nil without instances
	cells []cell
	texts []string // of a metric that is a text, instead of cells
	none  bool     // unknown as a whole, with its instances
}

var none = value{none: true}

// width returns the number of instances, 1 without.
func (v *value) width() int {
	if v.insts == nil {
		return 1
	}
	return len(v.insts)
}

func sameInstances(a, b []instance) bool {
	if len(a) != len(b) || (a == nil) != (b == nil) {
		return false
	}
	for i := range a {
		if a[i].id != b[i].id {
			return false
		}
	}
	return true
}

// A memory is what a node keeps from one moment to the next.
type memory struct {
	last    value // result of this moment
	ring    [][]cell
	texts   [][]string
	insts   []instance
	before  []cell // of a counter, as logged
	began   bool
	factor  float64
	kept    bool  // last is needed for the text of an action
	claimed int64 // bytes
}

// An evaluator steps through the moments of the rules with one delta.
type evaluator struct {
	memory []memory
	frames map[string]*series.Frame
	point  int // index in the frames
	now    time.Time
	step   float64 // seconds
	values int     // looked at since the last turn

	host    Host
	rule    string // that is being evaluated
	claimed int64  // bytes, that are given back at the end
	live    int64  // bytes of the results of operands so far
	working int64  // most that was live, which is claimed
}

// claim claims memory until the end of the evaluation, or gives it back.
func (e *evaluator) claim(bytes int64) {
	e.keep(bytes)
	e.claimed += bytes
}

// keep claims memory that is needed afterwards, too.
func (e *evaluator) keep(bytes int64) {
	if err := e.host.Take(bytes); err != nil {
		panic(ended{err})
	}
}

// turn lets others have theirs.
func (e *evaluator) turn() {
	n := e.values
	e.values = 0
	if err := e.host.Next(n); err != nil {
		panic(ended{err})
	}
}

// uses counts memory of the result of an operand.
func (e *evaluator) uses(bytes int64) {
	if e.live += bytes; e.live > e.working {
		more := max(e.live-e.working, 1<<16)
		e.claim(more)
		e.working += more
	}
	if e.values += int(bytes / cellBytes); e.values > 1<<16 {
		e.turn()
	}
}

// cells makes the cells of a result.
func (e *evaluator) cells(n int) []cell {
	if n > maxCells {
		panic(ended{pcp.Faultf(pcp.BadArgument, "An operand of the rule %s has %d values at a moment, counting its samples; ask for fewer instances or samples.", e.rule, n)})
	}
	e.uses(cellBytes * int64(n))
	return make([]cell, n)
}

// remembers claims what an operand keeps from one moment to the next.
func (e *evaluator) remembers(m *memory, cells, insts int) {
	if bytes := cellBytes*int64(cells) + instBytes*int64(insts); bytes > m.claimed {
		e.claim(bytes - m.claimed)
		m.claimed = bytes
	}
}

func (e *evaluator) eval(n *node) value {
	before := e.live
	v := e.compute(n)
	if m := &e.memory[n.id]; m.kept {
		m.last = v
		e.remembers(m, len(v.cells), len(v.insts))
	}
	e.live = min(e.live, before+cellBytes*int64(len(v.cells))+instBytes*int64(len(v.insts))) // those of its operands are not needed any more
	return v
}

func (e *evaluator) compute(n *node) value {
	switch n.op {
	case "number":
		return value{cells: []cell{known(n.value)}}
	case "string":
		return value{texts: []string{n.text}}
	case "metric":
		return e.metric(n)
	case "$minute":
		return value{cells: []cell{known(float64(e.now.Minute()))}}
	case "$hour":
		return value{cells: []cell{known(float64(e.now.Hour()))}}
	case "$day":
		return value{cells: []cell{known(float64(e.now.Day()))}}
	case "$month":
		return value{cells: []cell{known(float64(e.now.Month() - 1))}}
	case "$year":
		return value{cells: []cell{known(float64(e.now.Year()))}}
	case "$day_of_week":
		return value{cells: []cell{known(float64(e.now.Weekday()))}}
	}
	a := e.eval(n.a)
	if n.b != nil {
		return e.join(n, a, e.eval(n.b))
	}
	switch {
	case n.matches != nil:
		return e.match(n, a)
	case n.op == "rate", n.op == "rising", n.op == "falling":
		return e.change(n, a)
	case n.op == "instant", strings.HasSuffix(n.op, "_host") && !strings.HasPrefix(n.op, "count_"):
		return a
	case n.op == "neg", n.op == "!":
		return e.each(a, func(c cell) cell {
			if n.op == "neg" {
				c.v = -c.v
			} else {
				c.v = 1 - c.v
			}
			return c
		})
	}
	return e.aggregate(n, a)
}

// each maps the cells of a value.
func (e *evaluator) each(a value, f func(cell) cell) value {
	if a.none {
		return a
	}
	out := value{insts: a.insts, cells: e.cells(len(a.cells))}
	for i, c := range a.cells {
		if c.ok {
			out.cells[i] = f(c)
		}
	}
	return out
}

func (e *evaluator) match(n *node, a value) value {
	if a.none || a.insts == nil {
		return none
	}
	out := value{insts: a.insts, cells: e.cells(len(a.cells))}
	copy(out.cells, a.cells)
	for i := range out.cells {
		name := a.insts[i%len(a.insts)].name
		if c := &out.cells[i]; c.ok && c.v == 1 && n.matches.MatchString(name) != (n.op == "match_inst") {
			c.v = 0
		}
	}
	return out
}

// change compares a value with that of the moment before: of the same
// instances, otherwise it is unknown.
func (e *evaluator) change(n *node, a value) value {
	m := &e.memory[n.id]
	if a.none {
		m.began = false
		return none
	}
	before, same := m.before, m.began && sameInstances(m.insts, a.insts) && len(m.before) == len(a.cells)
	e.remembers(m, len(a.cells), len(a.insts))
	m.before, m.insts, m.began = a.cells, a.insts, true
	if !same {
		return none
	}
	out := value{insts: a.insts, cells: e.cells(len(a.cells))}
	for i, c := range a.cells {
		b := before[i]
		if !b.ok || !c.ok {
			continue
		}
		switch n.op {
		case "rising":
			out.cells[i] = condition(c.v == 1 && b.v == 0)
		case "falling":
			out.cells[i] = condition(c.v == 0 && b.v == 1)
		default:
			out.cells[i] = known((c.v - b.v) / e.step)
		}
	}
	return out
}

// metric returns the samples of a metric that an expression asks for. Whatever
// interrupts the series or changes the instances makes it start anew.
func (e *evaluator) metric(n *node) value {
	m := &e.memory[n.id]
	f := e.frames[n.text]
	if f == nil || !n.bound {
		return none
	}
	var insts []instance
	var cells []cell
	var texts []string
	counter := n.desc.Sem == pcp.Counter && !n.raw
	e.uses(cellBytes * int64(len(f.Vectors)))
	for i := range f.Vectors {
		v := &f.Vectors[i]
		if v.Missing(e.point) != series.HasValue || !n.selects(v.Name) {
			continue
		}
		if n.desc.InDom != pcp.NullInDom {
			insts = append(insts, instance{v.Inst, v.Name})
		}
		if n.sort == text {
			texts = append(texts, string(f.Blobs.At(v.Vals[e.point])))
			e.uses(int64(len(texts[len(texts)-1])))
		} else {
			// Scaled before differences are taken, as pmie does: what the last
			// bits are decides where two rates are equal.
			cells = append(cells, known(series.Float(f.Desc.Type, v.Vals[e.point])*m.factor))
		}
	}
	if found := len(cells) + len(texts); found == 0 || found < len(n.insts) {
		m.began, m.ring, m.texts = false, m.ring[:0], m.texts[:0]
		return none
	}
	same := m.began && sameInstances(m.insts, insts)
	if !same {
		m.ring, m.texts = m.ring[:0], m.texts[:0]
	}
	e.remembers(m, len(cells)*(n.last+2), len(insts))
	m.insts, m.began = insts, true
	if counter && n.sort != text {
		before := m.before
		m.before = cells
		if !same {
			return none
		}
		rates := e.cells(len(cells))
		for i, c := range cells {
			if c.v < before[i].v { // pmie has none of the rates then; interp.Rate lacks only this one
				m.ring = m.ring[:0]
				return none
			}
			rates[i] = known((c.v - before[i].v) / e.step)
		}
		cells = rates
	}
	return e.samplesOf(n, m, insts, cells, texts)
}

// samplesOf remembers the present sample, and returns those asked for once
// there are enough.
func (e *evaluator) samplesOf(n *node, m *memory, insts []instance, cells []cell, texts []string) value {
	if n.desc.InDom != pcp.NullInDom && len(n.insts) == 1 && !n.many {
		insts = insts[:1:1]
	}
	if n.last == 0 {
		return value{insts: insts, cells: cells, texts: texts}
	}
	if n.sort == text {
		m.texts = slices.Insert(m.texts, 0, texts)
		m.texts = m.texts[:min(len(m.texts), n.last+1)]
		if len(m.texts) <= n.last {
			return none
		}
		return value{insts: insts, texts: slices.Concat(m.texts[n.first : n.last+1]...)}
	}
	if len(cells)*(n.last+1) > maxCells {
		e.cells(maxCells + 1)
	}
	m.ring = slices.Insert(m.ring, 0, cells)
	m.ring = m.ring[:min(len(m.ring), n.last+1)]
	if len(m.ring) <= n.last {
		return none
	}
	all := e.cells(len(cells) * (n.last + 1 - n.first))[:0]
	for _, sample := range m.ring[n.first : n.last+1] {
		all = append(all, sample...)
	}
	return value{insts: insts, cells: all}
}

// selects reports whether an expression asks for an instance, by its name or
// the first word of it.
func (n *node) selects(name string) bool {
	if len(n.insts) == 0 {
		return true
	}
	word, _, _ := strings.Cut(name, " ")
	return n.chosen[name] || n.chosen[word]
}

// join applies an operator to two values. A value without instances, or of one selected
// instance, combines with any other; otherwise both must have the same instances, even
// if a metric happens to have only one.
func (e *evaluator) join(n *node, a, b value) value {
	op := n.op
	logical := op == "&&" || op == "||"
	if a.none || b.none {
		switch {
		case !logical || a.none && b.none:
			return none
		case a.none:
			a = b
		}
		// Kleene's logic with an unknown operand.
		decides := 0.0
		if op == "||" {
			decides = 1
		}
		return e.each(a, func(c cell) cell { return cell{c.v, c.v == decides} })
	}
	if a.texts != nil || b.texts != nil {
		return e.compareTexts(op, a, b)
	}
	wa, wb := a.width(), b.width()
	insts := a.insts
	switch {
	case wa == 1 && wb == 1:
		if insts == nil {
			insts = b.insts
		}
	case wa == 1 && !n.a.many:
		insts = b.insts
	case (wb > 1 || n.b.many) && !sameInstances(a.insts, b.insts):
		return none
	}
	width := max(wa, wb)
	samples := max(len(a.cells)/wa, len(b.cells)/wb)
	out := value{insts: insts, cells: e.cells(width * samples)}
	at := func(v *value, w, i int) cell {
		sample, inst := i/width, i%width
		if len(v.cells) == w {
			sample = 0
		}
		if w == 1 {
			inst = 0
		}
		return v.cells[sample*w+inst]
	}
	for i := range out.cells {
		out.cells[i] = combine(op, at(&a, wa, i), at(&b, wb, i))
	}
	return out
}

func (e *evaluator) compareTexts(op string, a, b value) value {
	if a.insts == nil && b.insts != nil || len(b.texts) > len(a.texts) {
		a, b = b, a
	}
	if len(b.texts) != 1 {
		return none
	}
	out := value{insts: a.insts, cells: e.cells(len(a.texts))}
	for i, s := range a.texts {
		out.cells[i] = condition((s == b.texts[0]) == (op == "=="))
	}
	return out
}

func combine(op string, a, b cell) cell {
	switch op {
	case "&&":
		if a.ok && a.v == 0 || b.ok && b.v == 0 {
			return condition(false)
		}
		return cell{1, a.ok && b.ok}
	case "||":
		if a.ok && a.v == 1 || b.ok && b.v == 1 {
			return condition(true)
		}
		return cell{0, a.ok && b.ok}
	}
	if !a.ok || !b.ok {
		return cell{}
	}
	switch op {
	case "<":
		return condition(a.v < b.v)
	case "<=":
		return condition(a.v <= b.v)
	case "==":
		return condition(a.v == b.v)
	case ">=":
		return condition(a.v >= b.v)
	case ">":
		return condition(a.v > b.v)
	case "!=":
		return condition(a.v != b.v)
	}
	return known(calculate(op, a.v, b.v))
}

func calculate(op string, a, b float64) float64 {
	switch op {
	case "+":
		return a + b
	case "-":
		return a - b
	case "*":
		return a * b
	}
	return a / b
}

// aggregate reduces a value over its instances or its samples.
func (e *evaluator) aggregate(n *node, a value) value {
	if a.none {
		return none
	}
	width := a.width()
	if strings.HasSuffix(n.op, "_sample") {
		out := value{insts: a.insts, cells: e.cells(width)}
		column := make([]cell, len(a.cells)/width)
		for i := range out.cells {
			for s := range column {
				column[s] = a.cells[s*width+i]
			}
			out.cells[i] = reduce(n, column)
		}
		return out
	}
	out := value{cells: e.cells(len(a.cells) / width)}
	for s := range out.cells {
		out.cells[s] = reduce(n, a.cells[s*width:(s+1)*width])
	}
	return out
}

// reduce reduces the cells of one dimension to one.
func reduce(n *node, cells []cell) cell {
	var yes, unknown int
	sum, lowest, highest := 0.0, math.Inf(1), math.Inf(-1)
	for _, c := range cells {
		if !c.ok {
			unknown++
			continue
		}
		if c.v == 1 {
			yes++
		}
		sum += c.v
		lowest, highest = min(lowest, c.v), max(highest, c.v)
	}
	op, _, _ := strings.Cut(n.op, "_")
	share := float64(len(cells)) * n.value / 100
	switch {
	case op == "some" && yes > 0:
		return condition(true)
	case op == "all" && yes+unknown < len(cells):
		return condition(false)
	case op == "%" && float64(yes) >= share:
		return condition(true)
	case op == "%" && float64(yes+unknown) < share:
		return condition(false)
	case unknown > 0:
		return cell{}
	}
	switch op {
	case "some", "all":
		return condition(op == "all")
	case "count":
		return known(float64(yes))
	case "min":
		return known(lowest)
	case "max":
		return known(highest)
	case "sum":
		return known(sum)
	case "avg":
		return known(sum / float64(len(cells)))
	}
	return cell{}
}
