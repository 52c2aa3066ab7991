package page

import (
	"encoding/json"
	"slices"
	"strconv"
	"syscall/js"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/wasm/rpc"
	"pcpscope/web/app"
	"pcpscope/web/session"
)

// The functions of pcpscopePage.view, which embedding describes. Those that
// return draw are called under the loop's lock; it is whether they changed
// anything.

func (p *page) viewWindow(args []js.Value) (draw bool) {
	tab := p.app.Current()
	start, err1 := strconv.ParseInt(args[0].String(), 10, 64)
	end, err2 := strconv.ParseInt(args[1].String(), 10, 64)
	if tab == nil || err1 != nil || err2 != nil {
		return false
	}
	tab.Zoom(pcp.Time(start), pcp.Time(end))
	return true
}

func (p *page) viewPanels(args []js.Value) (draw bool) {
	tab := p.app.Current()
	var panels [][]string
	if tab == nil || json.Unmarshal([]byte(args[0].String()), &panels) != nil {
		return false
	}
	tab.Dashboard.SetPanels(panels)
	return true
}

func (p *page) viewSource(args []js.Value) (draw bool) {
	id := api.SourceID(args[0].Float())
	p.app.Show(id)
	return p.app.Current() != nil && p.app.Current().Source.ID == id
}

func (p *page) viewClose(args []js.Value) (draw bool) {
	id := api.SourceID(args[0].Float())
	if !slices.ContainsFunc(p.app.Tabs, func(tab *app.Tab) bool { return tab.Source.ID == id }) {
		return false
	}
	p.app.Close(id)
	return true
}

func (p *page) viewOpen(_ js.Value, args []js.Value) any {
	files := filesOf(args[0], func() {})
	return promise(func(done func(any)) {
		p.app.Loop.Lock()
		p.refused = -1
		p.app.Intake.OpenThen(files, func(opened api.Opened, err error) {
			if err != nil {
				opened.Rejected = append(opened.Rejected, api.Rejected{Fault: *pcp.AsFault(err)})
			}
			wire, _ := rpc.Encode(opened).ToJS()
			done(wire)
		})
		p.app.Loop.UnlockRender()
	})
}

func (p *page) viewState(js.Value, []js.Value) any {
	return promise(func(done func(any)) {
		p.app.Loop.Lock()
		defer p.app.Loop.UnlockOnly()
		done(describe(p.app))
	})
}

func (p *page) viewSession(js.Value, []js.Value) any {
	return promise(func(done func(any)) {
		p.app.Loop.Lock()
		defer p.app.Loop.UnlockOnly()
		done(p.app.Session().Text())
	})
}

// restored is the result of restoring a session.
type restored struct {
	Fault   *pcp.Fault `json:"fault,omitempty"`
	Missing []string   `json:"missing"` // names of its sources that are not open
}

func (p *page) viewRestore(_ js.Value, args []js.Value) any {
	wire := js.Global().Get("Object").Invoke(args[0])
	return promise(func(done func(any)) {
		out := restored{Missing: []string{}}
		kept, err := p.parseSession(wire)
		if err != nil {
			out.Fault = pcp.AsFault(err)
		} else {
			p.app.Loop.Lock()
			p.app.Restore(kept)
			for _, source := range p.app.Missing() {
				out.Missing = append(out.Missing, source.Name)
			}
			p.app.Loop.UnlockRender()
		}
		answer, _ := json.Marshal(out)
		done(string(answer))
	})
}

// parseSession parses a session given as a String object, which is copied only
// if it is not too long.
func (p *page) parseSession(text js.Value) (*session.Session, error) {
	if text.Get("length").Int() > session.MaxBytes {
		return nil, session.TooLarge()
	}
	return session.Parse([]byte(text.Call("toString").String()), func() { rpc.Yield(p.app.Engine) })
}
