package browser

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/chromedp/cdproto/tracing"
	"github.com/chromedp/chromedp"
)

// A Task is one uninterrupted piece of work of a thread, during which the page
// or worker does not respond.
type Task struct {
	Page  bool          // on the page's thread; else on a worker of its process
	Began time.Duration // on the clock of the trace
	Wall  time.Duration
	CPU   time.Duration // the thread's CPU time, unaffected by other programs on the machine
}

// Tasks calls do and returns the tasks of the page's thread and of its workers
// in the meantime, longest first.
func (p *Page) Tasks(do func()) ([]Task, error) {
	ctx, cancel := context.WithCancel(p.ctx)
	defer cancel()
	type event struct {
		Name    string  `json:"name"`
		Phase   string  `json:"ph"`
		Process int     `json:"pid"`
		Thread  int     `json:"tid"`
		At      float64 `json:"ts"` // in microseconds
		Wall    float64 `json:"dur"`
		CPU     float64 `json:"tdur"`
	}
	var events []event
	done := make(chan struct{})
	err := chromedp.Listen(ctx, func(ev any) {
		switch ev := ev.(type) {
		case *tracing.EventDataCollected:
			for _, v := range ev.Value {
				var e event
				if json.Unmarshal(v, &e) == nil {
					events = append(events, e)
				}
			}
		case *tracing.EventTracingComplete:
			close(done)
		}
	})
	if err != nil {
		return nil, err
	}
	if _, err := chromedp.Call(ctx, tracing.Start, tracing.StartParams{TraceConfig: &tracing.TraceConfig{
		RecordMode: tracing.TraceConfigRecordModeRecordContinuously, IncludedCategories: []string{"blink.user_timing", "disabled-by-default-devtools.timeline"}}}); err != nil {
		return nil, err
	}
	const mark = "the thread of the page"
	if _, err := Eval[bool](p, `performance.mark("`+mark+`") !== null`); err != nil {
		return nil, err
	}
	do()
	if _, err := chromedp.Call(ctx, tracing.End, struct{}{}); err != nil {
		return nil, err
	}
	<-done
	at := slices.IndexFunc(events, func(e event) bool { return e.Name == mark })
	if at < 0 {
		return nil, errors.New("the trace does not have the page's thread")
	}
	var tasks []Task
	for _, e := range events {
		if e.Name == "RunTask" && e.Phase == "X" && e.Process == events[at].Process {
			tasks = append(tasks, Task{e.Thread == events[at].Thread, micro(e.At), micro(e.Wall), micro(e.CPU)})
		}
	}
	slices.SortFunc(tasks, func(a, b Task) int { return int(b.CPU - a.CPU) })
	return tasks, nil
}

func micro(n float64) time.Duration { return time.Duration(n * float64(time.Microsecond)) }
