// Command writer is the program, for js/wasm, that saves archives and replaces
// texts in them. It is loaded when that is asked for, and the engine runs it
// beside itself (wasm/engine, saver): it opens the archives of one source once
// more, whose files it reads itself where they are Blobs, and asks the engine
// for where they are not.
package main

import (
	"context"
	"io"
	"sync"
	"syscall/js"
	"time"

	"pcpscope/core/api"
	"pcpscope/core/archive"
	"pcpscope/core/budget"
	"pcpscope/core/container"
	"pcpscope/core/pcp"
	"pcpscope/core/save/job"
	"pcpscope/wasm/browser"
	"pcpscope/wasm/rpc"
	"pcpscope/wasm/saving"
)

// Messages that come in: {call, method, wire} with a SaveOrder, {cancel: call},
// {read, bytes} or {read, fault}, and {end}. Those that go out are listed at
// savingProgram.take.
func main() {
	browser.StartYielding()
	given := js.Global().Get("pcpscopeSaving")
	js.Global().Delete("pcpscopeSaving")
	p := &program{port: given.Get("port"), blobs: given.Get("blobs"), over: make(chan struct{}), running: map[int]context.CancelFunc{}, waiting: map[int]chan js.Value{}}
	p.port.Set("onmessage", js.FuncOf(func(_ js.Value, args []js.Value) any {
		browser.Turned()
		p.hear(args[0].Get("data"))
		return nil
	}))
	<-p.over
	p.working.Wait()
	p.reading.Wait()
	browser.Settle()
	p.unpackers.Stop()
	p.port.Set("onmessage", js.Null())
}

type program struct {
	port, blobs js.Value
	over        chan struct{}
	working     sync.WaitGroup // calls
	reading     sync.WaitGroup // what the engine owes an answer to
	running     map[int]context.CancelFunc
	unpackers   browser.Unpackers

	reads   int // counts them
	waiting map[int]chan js.Value

	opening chan struct{} // held by who opens the archives
	parts   []*archive.Archive
}

func (p *program) hear(m js.Value) {
	switch read, call, cancel := m.Get("read"), m.Get("call"), m.Get("cancel"); {
	case !read.IsUndefined():
		if to := p.waiting[read.Int()]; to != nil {
			delete(p.waiting, read.Int())
			to <- m
		}
	case !cancel.IsUndefined():
		if stop := p.running[cancel.Int()]; stop != nil {
			stop()
		}
	case !call.IsUndefined():
		ctx, stop := context.WithCancel(context.Background())
		id := call.Int()
		p.running[id] = stop
		p.working.Go(func() {
			defer delete(p.running, id)
			defer stop()
			p.answer(ctx, id, m.Get("method").String(), rpc.FromJS(m.Get("wire")))
		})
	case m.Get("end").Truthy():
		select {
		case <-p.over:
		default:
			close(p.over)
		}
	}
}

func (p *program) answer(ctx context.Context, id int, method string, in rpc.Message) {
	out, err := p.reply(ctx, id, method, in)
	reply, key := map[string]any{"id": id}, "wire"
	if err != nil {
		key, out = "fault", rpc.Encode(*pcp.AsFault(err))
	}
	wire, transfer := out.ToJS()
	reply[key] = wire
	p.port.Call("postMessage", reply, transfer)
}

func (p *program) reply(ctx context.Context, id int, method string, in rpc.Message) (out rpc.Message, err error) {
	defer pcp.Recover(method, &err)
	var order rpc.SaveOrder
	if err := rpc.Decode(in, &order); err != nil {
		return out, err
	}
	progress := p.reporter(id)
	if err := p.open(ctx, &order, progress); err != nil {
		return out, err
	}
	j := job.Job{Query: order.Query, Start: order.Start, End: order.End, Every: order.Every, Name: order.Name, Host: order.Host, Parts: p.parts,
		Yield: browser.Yield, Compose: browser.Compose}
	return saving.Answer(ctx, method, j, order.Texts, browser.Blobs(), progress)
}

// often is how far apart progress reports are at least.
const often = 50 * time.Millisecond

func (p *program) reporter(id int) func(api.Progress) {
	var last time.Time
	var phase string
	return func(now api.Progress) {
		if now.Phase == phase && time.Since(last) < often {
			return
		}
		last, phase = time.Now(), now.Phase
		p.port.Call("postMessage", map[string]any{"id": id, "progress": map[string]any{"phase": now.Phase, "done": now.Done, "total": now.Total}})
		browser.Yield()
	}
}

// open opens and reads the archives, as core.Session did: once, for all calls.
func (p *program) open(ctx context.Context, order *rpc.SaveOrder, progress func(api.Progress)) error {
	if p.opening == nil {
		p.opening = make(chan struct{}, 1)
	}
	select {
	case p.opening <- struct{}{}:
	case <-ctx.Done():
		return stopped()
	}
	defer func() { <-p.opening }()
	if p.parts != nil {
		return nil
	}
	p.unpackers.Start(order.Lanes)
	defer p.unpackers.Stop()
	memory := budget.New(int64(order.MemoryRoom))
	opt := archive.Options{Budget: memory, Unpacker: container.Unpacker{Yield: browser.Yield, Offload: browser.Offload{Unpackers: &p.unpackers}.Open}}
	var all []*archive.Archive
	for i := range order.Archives {
		a, err := opt.Open(ctx, p.group(&order.Archives[i]))
		if err != nil {
			return err
		}
		all = append(all, a)
	}
	for i, a := range all {
		if lender := order.Archives[i].Lender; lender >= 0 && lender < len(all) {
			a.Borrow(all[lender])
		}
	}
	parts := all[:order.Parts]
	if err := load(ctx, parts, max(1, order.Lanes), progress); err != nil {
		return err
	}
	p.parts = parts
	return nil
}

// load reads archives, some at once: unpacking them is others' work.
func load(ctx context.Context, parts []*archive.Archive, lanes int, progress func(api.Progress)) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var total, done int64
	far := make([]int64, len(parts))
	for _, a := range parts {
		for _, v := range a.Group().Volumes {
			total += v.Size
		}
	}
	var failed error
	var wg sync.WaitGroup
	lane := make(chan struct{}, lanes)
	for i, a := range parts {
		lane <- struct{}{}
		wg.Go(func() {
			defer func() { <-lane }()
			err := a.Load(ctx, func(now, _ int64) {
				done += now - far[i]
				far[i] = now
				progress(api.Progress{Phase: "reading", Done: float64(done), Total: float64(total)})
			})
			if err != nil && failed == nil {
				failed = err
				stop()
			}
		})
	}
	wg.Wait()
	if failed == nil && ctx.Err() != nil {
		failed = stopped()
	}
	return failed
}

func stopped() error { return pcp.Faultf(pcp.Cancelled, "Saving was stopped.") }

func (p *program) group(a *rpc.SaveArchive) archive.Group {
	g := archive.Group{Name: a.Name}
	if a.Meta != nil {
		m := p.member(*a.Meta)
		g.Meta = &m
	}
	if a.Index != nil {
		m := p.member(*a.Index)
		g.Index = &m
	}
	for _, v := range a.Volumes {
		g.Volumes = append(g.Volumes, archive.Volume{Member: p.member(v.File), Number: v.Number})
	}
	return g
}

func (p *program) member(f rpc.SaveFile) archive.Member {
	m := archive.Member{Name: f.Name, Size: int64(f.Bytes)}
	if blob := p.blobs.Index(f.Number); blob.Truthy() {
		m.At, _, _ = browser.ReadBlob(blob)
	} else {
		m.At = file{p, f.Number, m.Size}
	}
	return m
}

// A file is one that the engine reads.
type file struct {
	*program
	number int
	size   int64
}

func (f file) ReadAt(b []byte, off int64) (int, error) {
	if off < 0 || off > f.size {
		return 0, io.EOF
	}
	read := 0
	for read < len(b) && off < f.size {
		n, err := f.piece(b[read:min(len(b), read+maxPiece)], off)
		read, off = read+n, off+int64(n)
		if err != nil {
			return read, err
		}
		if n == 0 {
			return read, io.ErrUnexpectedEOF
		}
	}
	if read < len(b) {
		return read, io.EOF
	}
	return read, nil
}

// maxPiece is how much is asked for at a time.
const maxPiece = 16 << 20

func (f file) piece(b []byte, off int64) (int, error) {
	f.reading.Add(1)
	defer f.reading.Done()
	f.reads++
	answer := make(chan js.Value, 1)
	f.waiting[f.reads] = answer
	f.port.Call("postMessage", map[string]any{"read": f.reads, "file": f.number, "from": float64(off), "bytes": len(b)})
	m := <-answer
	if fault := m.Get("fault"); !fault.IsUndefined() {
		var what pcp.Fault
		if err := rpc.Decode(rpc.FromJS(fault), &what); err != nil {
			return 0, err
		}
		return 0, &what
	}
	return js.CopyBytesToGo(b, m.Get("bytes")), nil
}
