package save

import (
	"pcpscope/core/pcp"
)

// textKey identifies a text that was rewritten before.
type textKey struct {
	id   pcp.PMID
	text string
}

const maxTexts = 1 << 16 // limit of the cache

// rewrite adds a value that is not a number, with its texts changed.
func (w *writer) rewrite(m *metric, v value) bool {
	if v.block == nil {
		return false
	}
	payload := v.block[4:]
	switch m.to.Type {
	case pcp.String:
		for i, c := range payload {
			if c == 0 {
				payload = payload[:i]
				break
			}
		}
		text, known := w.texts[textKey{m.PMID, string(payload)}] // avoids allocating a string
		if !known {
			text = w.plan.Rewrite.Text(m.Metric, payload)
			if len(w.texts) >= maxTexts {
				clear(w.texts)
			}
			w.texts[textKey{m.PMID, string(payload)}] = text
		}
		w.build.Bytes(v.inst, pcp.String, text)
		return true
	case pcp.Event, pcp.HighresEvent:
		changed, ok := w.plan.Rewrite.Events(m.to.Type, payload)
		if ok {
			w.build.Bytes(v.inst, m.to.Type, changed)
		}
		return ok
	}
	return false
}
