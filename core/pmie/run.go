package pmie

import (
	"strconv"
	"strings"
	"time"

	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

const (
	maxMoments = 20_000_000 // evaluations of a file, over all rules
	maxLanes   = 10_000     // instances of a rule
	maxRuns    = 500_000    // of a file
	maxCells   = 1 << 20    // values of an operand at a moment: its instances times its samples
	together   = 1024       // moments whose values are held at once, of few series
	atOnce     = 1 << 21    // values that are held at once
	oneRule    = 32         // what evaluating a rule takes, in values
	maxNamed   = 20         // instances named in the text of an action
	maxSays    = 1000       // bytes of that text
)

// What results take, in bytes.
const (
	runBytes    = 80
	laneBytes   = 200
	seriesBytes = 64
	valueBytes  = 10
	nodeBytes   = 300
	cellBytes   = 16
	instBytes   = 24
)

// A State of a condition.
type State uint8

const (
	Unknown State = iota
	False
	True
)

func (s State) String() string { return [...]string{"unknown", "false", "true"}[s] }

// A Run is a stretch of time in which a condition had one state: from the first
// evaluation that found it to the first that no longer did, or to the last
// evaluation of all.
type Run struct {
	pcp.Span
	State State
	Says  string // the text of the actions at its start, if it is true
}

// A Lane is a condition over time, of one instance if it has instances.
type Lane struct {
	ID   int32  // pcp.NoInstance without instances
	Name string // of the instance
	Runs []Run

	seen int64
}

// A Result is a rule with its lanes.
type Result struct {
	*Rule
	Lanes []Lane
	Last  pcp.Time // of the evaluations
	byID  map[int32]int
	count *int
}

// Window is the time over which rules are evaluated, and the zone of $hour and
// the like.
type Window struct {
	pcp.Span
	Zone *time.Location
}

// Host is who the work is done for: others get their turn, and memory is limited.
// Both functions end the work by an error.
type Host struct {
	Next func(values int) error  // called now and then
	Take func(bytes int64) error // claims memory, or gives it back
}

// ended ends an evaluation.
type ended struct{ err error }

// Run evaluates the rules at the start of the window and then every delta.
func (p *Program) Run(src Source, w Window, host Host) (out []Result, err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case ended:
			out, err = nil, r.err
		default:
			panic(r)
		}
	}()
	out = make([]Result, len(p.Rules))
	runs := 0
	var deltas []int64
	groups := map[int64][]*Result{}
	moments := 0.0
	for i := range p.Rules {
		r := &p.Rules[i]
		out[i] = Result{Rule: r, byID: map[int32]int{}, count: &runs, Last: w.Start}
		if r.root != nil {
			p.bind(r, src)
		}
		if !r.Condition() {
			continue
		}
		if groups[r.Delta] == nil {
			deltas = append(deltas, r.Delta)
		}
		groups[r.Delta] = append(groups[r.Delta], &out[i])
		moments += float64(w.End-w.Start)/float64(r.Delta) + 1
	}
	if moments > maxMoments {
		return nil, pcp.Faultf(pcp.BadArgument, "The rules would be evaluated %.0f times; set a longer delta or ask for a shorter window.", moments)
	}
	for _, d := range deltas {
		if err := p.runGroup(src, w, d, groups[d], host); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// metricsOf lists the metrics of an expression.
func metricsOf(n *node, each func(*node)) {
	if n == nil {
		return
	}
	if n.op == "metric" && n.bound {
		each(n)
	}
	metricsOf(n.a, each)
	metricsOf(n.b, each)
}

func (p *Program) runGroup(src Source, w Window, delta int64, rules []*Result, host Host) error {
	e := evaluator{host: host, frames: map[string]*series.Frame{}, step: float64(delta) / 1e9}
	defer func() { host.Take(-e.claimed) }()
	e.claim(nodeBytes * int64(p.nodes))
	e.memory = make([]memory, p.nodes)
	var names []string
	for _, r := range rules {
		if len(r.Actions) > 0 {
			relation, operand := binding(r.root)
			e.memory[relation.id].kept, e.memory[operand.id].kept = true, true
		}
		metricsOf(r.root, func(n *node) {
			e.memory[n.id].factor = canonical(n.desc.Units)
			if _, listed := e.frames[n.text]; !listed {
				e.frames[n.text] = nil
				names = append(names, n.text)
			}
		})
	}
	count := int64(w.End-w.Start)/delta + 1
	var held int64 // claimed for the frames
	for first, many := int64(0), int64(8); first < count; {
		// A counter has no value just after a mark, which is known by the
		// moment before: see spec/interp.md section 7.
		extra := min(first, 1)
		grid := series.Grid{Start: w.Start + pcp.Time((first-extra)*delta), Step: delta, Count: int(min(many, count-first) + extra)}
		clear(e.frames)
		e.claim(-held)
		held = 0
		rows := int64(0)
		for _, name := range names {
			f, err := src.Frame(name, grid)
			if err != nil {
				return err
			}
			rows += int64(len(f.Vectors))
			bytes := int64(len(f.Vectors)) * (seriesBytes + valueBytes*int64(grid.Count))
			held += bytes
			e.claim(bytes)
			e.frames[name] = &f
		}
		for i := extra; i < int64(grid.Count); i++ {
			e.point = int(i)
			at := grid.At(int(i))
			e.now = at.Std().In(w.Zone)
			e.values = 0
			for _, r := range rules {
				e.values += oneRule + len(r.Lanes)
				e.rule = r.Name
				v := e.eval(r.root)
				e.live = 0
				r.add(&e, src, first+i-extra, at, v)
				if *r.count > maxRuns {
					return pcp.Faultf(pcp.BadArgument, "The rules change more than %d times; ask for a shorter window or fewer rules.", maxRuns)
				}
				if len(r.Lanes) > maxLanes {
					return pcp.Faultf(pcp.BadArgument, "The rule %s has more than %d instances: put some_inst in front.", r.Name, maxLanes)
				}
			}
			e.turn()
		}
		first += int64(grid.Count) - extra
		many = min(together, max(8, atOnce/max(rows, 1))) // the first few tell how many series there are
	}
	return nil
}

// add takes down the result of one moment.
func (r *Result) add(e *evaluator, src Source, moment int64, at pcp.Time, v value) {
	r.Last = at
	switch {
	case v.none && !r.root.many:
		r.set(e, src, pcp.NoInstance, "", moment, at, cell{})
	case !v.none && !r.root.many:
		r.set(e, src, pcp.NoInstance, "", moment, at, v.cells[0])
	case !v.none && v.insts != nil:
		for i, inst := range v.insts {
			r.set(e, src, inst.id, inst.name, moment, at, v.cells[i])
		}
	}
	for i := range r.Lanes {
		if l := &r.Lanes[i]; l.seen != moment+1 {
			r.set(e, src, l.ID, l.Name, moment, at, cell{})
		}
	}
}

func (r *Result) set(e *evaluator, src Source, id int32, name string, moment int64, at pcp.Time, c cell) {
	i, known := r.byID[id]
	if !known {
		i = len(r.Lanes)
		e.keep(laneBytes)
		r.byID[id] = i
		l := Lane{ID: id, Name: name}
		if moment > 0 { // until now
			start := at - pcp.Time(moment*r.Delta)
			e.keep(runBytes)
			l.Runs = append(l.Runs, Run{Span: pcp.Span{Start: start, End: at}})
			*r.count++
		}
		r.Lanes = append(r.Lanes, l)
	}
	l := &r.Lanes[i]
	l.seen = moment + 1
	state := Unknown
	if c.ok {
		state = False
		if c.v == 1 {
			state = True
		}
	}
	if n := len(l.Runs); n > 0 {
		l.Runs[n-1].End = at
		if l.Runs[n-1].State == state {
			return
		}
	}
	run := Run{Span: pcp.Span{Start: at, End: at}, State: state}
	if state == True && len(r.Actions) > 0 {
		run.Says = r.says(e, src.Host())
	}
	e.keep(runBytes + int64(len(run.Says)))
	l.Runs = append(l.Runs, run)
	*r.count++
}

// binding returns the comparison and the operand of it that %i and %v of an
// action stand for: the first of those with the most instances.
func binding(n *node) (relation, operand *node) {
	for {
		switch {
		case n.op == "&&" || n.op == "||":
			if n.b.many && !n.a.many {
				n = n.b
			} else {
				n = n.a
			}
		case n.b != nil && n.sort == truth:
			if n.b.many && !n.a.many || n.a.op == "number" {
				return n, n.b
			}
			return n, n.a
		case n.a != nil:
			n = n.a
		default:
			return n, n
		}
	}
}

// says returns the text of the actions, as it would be at this moment. An
// argument with selectors is repeated for each instance for which the condition
// holds.
func (r *Result) says(e *evaluator, host string) string {
	relation, operand := binding(r.root)
	rel, val := &e.memory[relation.id].last, &e.memory[operand.id].last
	var b strings.Builder
	for _, arg := range r.Actions[0].Args {
		if b.Len() > maxSays {
			break
		}
		if !strings.Contains(arg, "%i") && !strings.Contains(arg, "%v") {
			b.WriteString(strings.NewReplacer("%h", host, "%c", host).Replace(arg))
			continue
		}
		named := 0
		for i := range rel.width() {
			if rel.none || i >= len(rel.cells) || !rel.cells[i].ok || rel.cells[i].v == 0 {
				continue
			}
			name, v := "", "?"
			if i < len(rel.insts) {
				name = rel.insts[i].name
			}
			if at := i % max(val.width(), 1); at < len(val.cells) && val.cells[at].ok {
				v = strconv.FormatFloat(val.cells[at].v, 'g', 6, 64)
			}
			if named++; named > maxNamed || b.Len() > maxSays {
				b.WriteString(" …")
				break
			}
			b.WriteString(strings.NewReplacer("%h", host, "%c", host, "%i", name, "%v", v).Replace(arg))
		}
	}
	return strings.Clone(pcp.Clip(strings.TrimSpace(b.String()), maxSays))
}
