package engine

import "syscall/js"

// parts are the parts of files that a worker was asked to read, by number.
type parts struct {
	last  int
	asked map[int]chan js.Value
}

// read has a part of a file read by a worker that does nothing else, and returns its
// ArrayBuffer; false if there is no such worker, or it could not. Browsers deliver a file in
// small steps to the thread that asks, so that the engine either waits or decodes; and
// Chromium has a thread wait that takes a slice.
func (u *unpackers) read(file js.Value, from, to int64) (js.Value, bool) {
	var w *unpacker
	for _, other := range u.list {
		if other.idle && !other.runs && (w == nil || len(other.parts.asked) < len(w.parts.asked)) {
			w = other
		}
	}
	if w == nil {
		return js.Undefined(), false
	}
	p := &w.parts
	p.last++
	if p.asked == nil {
		p.asked = map[int]chan js.Value{}
	}
	answer := make(chan js.Value, 1)
	p.asked[p.last] = answer
	w.worker.Call("postMessage", map[string]any{"read": file, "from": from, "to": to, "number": p.last})
	bytes := <-answer
	return bytes, bytes.Truthy()
}

// take handles the message with a part.
func (p *parts) take(m js.Value) {
	number := m.Get("number").Int()
	if answer, asked := p.asked[number]; asked {
		delete(p.asked, number)
		answer <- m.Get("bytes")
	}
}

// fail answers everything that was asked: the worker ended.
func (p *parts) fail() {
	for number, answer := range p.asked {
		delete(p.asked, number)
		answer <- js.Undefined()
	}
}
