package core

import (
	"context"

	"pcpscope/core/budget"
	"pcpscope/core/interp"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// checkEvery is how many values are computed, in about a millisecond, between
// checks of the context, which have a cost of their own.
const checkEvery = 1 << 16

// oneSeries is the cost of a series, an instance or a metric apart from its
// values, as a number of values.
const oneSeries = 1 << 7

func cancelled() *pcp.Fault { return pcp.Faultf(pcp.Cancelled, "Cancelled.") }

// A pace makes long work yield to other work, and end when it has been
// cancelled. Loops report to it how many values they have worked on.
type pace struct {
	session    *Session
	ctx        context.Context // nil if the work cannot be given up
	sinceCheck int             // values since ctx was last checked
	ended      error           // why the work was given up
	held       *budget.Claim   // working memory; nil for none
	processes  *budget.Claim   // for what is known of processes; nil for none
}

// release gives back the working memory.
func (p *pace) release() {
	if p != nil {
		p.held.Release()
		p.processes.Release()
	}
}

// newPace returns one for work that ctx may end; nil where it may not.
func (s *Session) newPace(ctx context.Context) *pace { return &pace{session: s, ctx: ctx} }

// worked counts values, and reports whether to give up.
func (p *pace) worked(values int) (stop bool) {
	if p.sinceCheck += values; p.sinceCheck >= checkEvery {
		p.sinceCheck = 0
		if p.ctx != nil {
			if err := p.session.proceed(p.ctx); err != nil {
				p.ended = err
			}
		} else if p.session.opt.Yield != nil {
			p.session.opt.Yield()
		}
	}
	return p.ended != nil
}

// rest is worked for those who cannot give up.
func (p *pace) rest(values int) { p.worked(values) }

// each returns a function that calls worked for one series of that many values.
func (p *pace) each(values int) func(int) bool {
	return func(int) bool { return p.worked(oneSeries + values) }
}

// over makes work on all rows of a metric stop once it has been cancelled.
func (p *pace) over(obs []*series.Observations) interp.Options {
	rows := 0
	for _, o := range obs {
		if o != nil {
			rows += len(o.Times)
		}
	}
	return interp.Options{Stop: p.each(rows)}
}
