package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall/js"
	"time"

	"pcpscope/core/api"
	"pcpscope/core/archive"
	"pcpscope/core/pcp"
	"pcpscope/core/save/job"
	"pcpscope/wasm/browser"
	"pcpscope/wasm/rpc"
)

// saver runs the program of wasm/writer beside this one, in the same thread:
// so it runs wherever the engine does, a worker that may start no others
// included. The two speak over a channel of messages. It keeps what it has
// read of one source for a while: who looks at what would be replaced asks
// again and again.
type saver struct {
	lanes int
	room  func() (used, budget int64) // of memory
	now   *savingProgram
}

// keptFor is how long the program stays with nothing to do.
const keptFor = 30 * time.Second

// lastWords is how long answers may still be on their way when it has ended.
const lastWords = 50 * time.Millisecond

// A savingProgram is one run of the program, for the archives of one source.
type savingProgram struct {
	source  api.SourceID
	archive string // which archives, see keyOf
	port    js.Value
	files   []archive.Member
	calls   map[int]*savingCall
	last    int           // number of the last call
	leaving bool          // it ends, and is asked nothing more
	over    chan struct{} // closed when it has ended
	hear    js.Func
}

// A savingCall is a call that is under way.
type savingCall struct {
	progress func(api.Progress)
	answer   chan savingAnswer
}

type savingAnswer struct {
	reply rpc.Message
	err   error
}

// Answer implements Saver. The program was handed over with the call: see
// pcpscope.js.
func (s *saver) Answer(ctx context.Context, method string, j job.Job, texts []string, progress func(api.Progress)) (rpc.Message, error) {
	program := js.Global().Get("pcpscopeSaver")
	if program.IsUndefined() {
		return rpc.Message{}, noSaver()
	}
	order, files := orderOf(&j)
	order.Texts, order.Lanes = texts, s.lanes
	used, budget := s.room()
	order.MemoryRoom = float64(max(budget-used, budget/2))
	key := keyOf(&j, files)
	if s.now == nil || s.now.archive != key || s.now.leaving {
		s.end()
		s.now = runSaving(program, j.Query.Source, key, files)
	}
	return s.now.call(ctx, method, order, progress)
}

// Forget implements Saver.
func (s *saver) Forget(source api.SourceID) {
	if s.now != nil && s.now.source == source {
		s.end()
	}
}

// end has the program end when it has answered what it was asked.
func (s *saver) end() {
	if s.now != nil {
		s.now.end()
		s.now = nil
	}
}

// keyOf tells archives from others, and from themselves when they have grown.
func keyOf(j *job.Job, files []archive.Member) string {
	var b strings.Builder
	fmt.Fprint(&b, j.Query.Source, j.Parts[0].Start(), j.Parts[len(j.Parts)-1].End())
	for _, f := range files {
		fmt.Fprint(&b, "\x00", f.Name, "\x00", f.Size)
	}
	return b.String()
}

// orderOf is what goes to the program, and the files that it may ask for.
func orderOf(j *job.Job) (rpc.SaveOrder, []archive.Member) {
	q := j.Query
	order := rpc.SaveOrder{Query: q, Start: j.Start, End: j.End, Every: j.Every, Name: j.Name, Host: j.Host, Parts: len(j.Parts)}
	var files []archive.Member
	file := func(m archive.Member) rpc.SaveFile {
		files = append(files, m)
		return rpc.SaveFile{Name: m.Name, Bytes: float64(m.Size), Number: len(files) - 1}
	}
	numbers := map[*archive.Archive]int{}
	all := append([]*archive.Archive{}, j.Parts...)
	for i, a := range all {
		numbers[a] = i
	}
	for i := 0; i < len(all); i++ { // which grows
		a := all[i]
		g := a.Group()
		one := rpc.SaveArchive{Name: g.Name, Lender: -1}
		if g.Meta != nil {
			f := file(*g.Meta)
			one.Meta = &f
		}
		if g.Index != nil {
			f := file(*g.Index)
			one.Index = &f
		}
		for _, v := range g.Volumes {
			one.Volumes = append(one.Volumes, rpc.SaveVolume{File: file(v.Member), Number: v.Number})
		}
		if lender := a.Lender(); lender != nil {
			n, known := numbers[lender]
			if !known {
				n = len(all)
				all, numbers[lender] = append(all, lender), n
			}
			one.Lender = n
		}
		order.Archives = append(order.Archives, one)
	}
	return order, files
}

// runSaving starts the program.
func runSaving(program js.Value, source api.SourceID, key string, files []archive.Member) *savingProgram {
	scope := js.Global()
	channel := scope.Get("MessageChannel").New()
	p := &savingProgram{source: source, archive: key, port: channel.Get("port1"), files: files, calls: map[int]*savingCall{}, over: make(chan struct{})}
	blobs := make([]any, len(files)) // what it can read by itself
	for i, f := range files {
		if blob, ok := browser.BlobOf(f.At); ok {
			blobs[i] = blob
		}
	}
	p.hear = js.FuncOf(func(_ js.Value, args []js.Value) any {
		browser.Turned()
		p.take(args[0].Get("data"))
		return nil
	})
	p.port.Set("onmessage", p.hear)
	scope.Set("pcpscopeSaving", map[string]any{"port": channel.Get("port2"), "blobs": blobs})
	ended := scope.Call("pcpscopeBeside", program) // see worker.js
	go func() {
		_, err := rpc.Await(ended)
		p.leaving = true
		time.Sleep(lastWords)
		p.fail(err)
	}()
	return p
}

func (p *savingProgram) ended() bool {
	select {
	case <-p.over:
		return true
	default:
		return false
	}
}

// fail ends all calls: the program has ended.
func (p *savingProgram) fail(err error) {
	if err == nil {
		err = errors.New("it ended")
	}
	close(p.over)
	p.port.Call("close")
	for id := range p.calls {
		p.settle(id, savingAnswer{err: pcp.Faultf(pcp.Internal, "The program that saves archives stopped: %v.", err)})
	}
	p.hear.Release()
}

func (p *savingProgram) end() {
	if !p.leaving {
		p.leaving = true
		p.port.Call("postMessage", map[string]any{"end": true})
	}
}

func (p *savingProgram) settle(id int, a savingAnswer) {
	if c := p.calls[id]; c != nil {
		delete(p.calls, id)
		c.answer <- a
	}
}

// call has the program answer, and waits.
func (p *savingProgram) call(ctx context.Context, method string, order rpc.SaveOrder, progress func(api.Progress)) (rpc.Message, error) {
	p.last++
	id, c := p.last, &savingCall{progress, make(chan savingAnswer, 1)}
	p.calls[id] = c
	wire, transfer := rpc.Encode(order).ToJS()
	p.port.Call("postMessage", map[string]any{"call": id, "method": method, "wire": wire}, transfer)
	defer p.linger(id)
	select {
	case a := <-c.answer:
		return a.reply, a.err
	case <-ctx.Done():
	}
	if !p.ended() {
		p.port.Call("postMessage", map[string]any{"cancel": id})
	}
	a := <-c.answer // it stops soon; nobody else is told that it has
	return a.reply, a.err
}

// linger ends the program if nothing more is asked.
func (p *savingProgram) linger(id int) {
	time.AfterFunc(keptFor, func() {
		if p.last == id && len(p.calls) == 0 {
			p.end()
		}
	})
}

// take hears the program: {read, file, from, bytes} asks for bytes of a file,
// {id, progress}, {id, wire} and {id, fault} are of calls.
func (p *savingProgram) take(m js.Value) {
	if read := m.Get("read"); !read.IsUndefined() {
		go p.read(read.Int(), m.Get("file").Int(), int64(m.Get("from").Float()), m.Get("bytes").Int())
		return
	}
	id := m.Get("id").Int()
	switch progress, fault := m.Get("progress"), m.Get("fault"); {
	case !progress.IsUndefined():
		if c := p.calls[id]; c != nil && c.progress != nil {
			now := api.Progress{Phase: progress.Get("phase").String(), Done: progress.Get("done").Float(), Total: progress.Get("total").Float()}
			go c.progress(now)
		}
	case !fault.IsUndefined():
		var f pcp.Fault
		err := rpc.Decode(rpc.FromJS(fault), &f)
		if err == nil {
			err = &f
		}
		p.settle(id, savingAnswer{err: err})
	default:
		p.settle(id, savingAnswer{reply: rpc.FromJS(m.Get("wire"))})
	}
}

// read answers with bytes of a file: fewer at its end, none and why where it
// cannot be read.
func (p *savingProgram) read(id, file int, from int64, count int) {
	reply := map[string]any{"read": id}
	var transfer []any
	if n, err := p.readAt(file, from, count); err != nil {
		reply["fault"], _ = rpc.Encode(*pcp.AsFault(err)).ToJS()
	} else {
		bytes := uint8Array.New(len(n))
		js.CopyBytesToJS(bytes, n)
		reply["bytes"], transfer = bytes, []any{bytes.Get("buffer")}
	}
	if !p.ended() {
		p.port.Call("postMessage", reply, transfer)
	}
}

func (p *savingProgram) readAt(file int, from int64, count int) (b []byte, err error) {
	defer pcp.Recover("reading a file that is saved", &err)
	if file < 0 || file >= len(p.files) || from < 0 || from > p.files[file].Size {
		return nil, errors.New("there is no such file")
	}
	b = make([]byte, min(int64(count), p.files[file].Size-from))
	n, err := p.files[file].At.ReadAt(b, from)
	if err == io.EOF {
		err = nil
	}
	return b[:n], err
}

var uint8Array = js.Global().Get("Uint8Array")
