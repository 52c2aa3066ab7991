package save

import (
	"encoding/binary"

	"pcpscope/core/archive"
	"pcpscope/core/pcp"
	"pcpscope/core/redact"
)

// Redact fills a table with all texts of archives, seals it, and returns the
// Request.Rewrite that uses it. proceed, which may be nil, is called often and
// stops the work by returning an error.
func Redact(parts []*archive.Archive, t *redact.Table, proceed func() error) (Rewriter, error) {
	if proceed == nil {
		proceed = func() error { return nil }
	}
	r := &redactor{table: t, metrics: map[pcp.PMID]redact.Place{}, domains: map[pcp.InDom]redact.Place{}, instances: map[instanceKey]string{}}
	domains := map[pcp.InDom][]string{}
	for _, a := range parts {
		for _, m := range a.Metrics() {
			if err := proceed(); err != nil {
				return nil, err
			}
			for _, name := range m.Names {
				t.CollectMetric(name)
			}
			r.metrics[m.PMID] = redact.Free
			if len(m.Names) > 0 {
				r.metrics[m.PMID] = redact.PlaceOf(m.Name())
			}
			if m.InDom != pcp.NullInDom {
				domains[m.InDom] = append(domains[m.InDom], m.Names...)
			}
		}
	}
	for id, names := range domains {
		r.domains[id] = redact.PlaceOfInstances(names)
	}
	for _, a := range parts {
		if err := r.collect(a, proceed); err != nil {
			return nil, err
		}
	}
	if err := t.Seal(proceed); err != nil {
		return nil, err
	}
	return r, nil
}

// A redactor is a Rewriter that replaces by a table.
type redactor struct {
	table   *redact.Table
	metrics map[pcp.PMID]redact.Place
	domains map[pcp.InDom]redact.Place
	// Names of instances already replaced: older archives repeat all of a
	// domain whenever one comes or goes.
	instances map[instanceKey]string
}

type instanceKey struct {
	place redact.Place
	name  string
}

// collect shows the table all texts of an archive.
func (r *redactor) collect(a *archive.Archive, proceed func() error) error {
	t := r.table
	t.Collect(redact.HostName, a.Label().Host)
	for _, m := range a.Metrics() {
		if err := proceed(); err != nil {
			return err
		}
		oneline, help := a.MetricTexts(m.PMID)
		t.CollectHelp(oneline)
		t.CollectHelp(help)
		if m.Type.Numeric() {
			continue
		}
		obs, ok := a.Observations(m.PMID)
		if !ok {
			continue
		}
		for i := range obs.Blobs.Len() {
			if i%64 == 0 {
				if err := proceed(); err != nil {
					return err
				}
			}
			blob := obs.Blobs.At(uint64(i))
			switch m.Type {
			case pcp.String:
				t.Collect(r.metrics[m.PMID], string(blob))
			case pcp.Event, pcp.HighresEvent:
				records, _ := archive.UnpackEvents(blob, m.Type)
				for _, rec := range records {
					for _, p := range rec.Params {
						if p.Type == pcp.String {
							t.Collect(r.metrics[p.PMID], p.Text())
						}
					}
				}
			}
		}
	}
	for _, id := range a.Domains() {
		oneline, help := a.InDomTexts(id)
		t.CollectHelp(oneline)
		t.CollectHelp(help)
		for _, c := range a.DomainChanges(id) {
			if err := proceed(); err != nil {
				return err
			}
			for i, in := range c.Added {
				if i%256 == 255 {
					if err := proceed(); err != nil {
						return err
					}
				}
				t.CollectInstance(r.domains[id], in.Name)
			}
		}
	}
	for _, l := range a.LabelRecords() {
		if err := proceed(); err != nil {
			return err
		}
		for _, s := range l.Sets {
			if s.JSON != "" {
				t.CollectLabels(s.JSON)
			}
		}
	}
	return nil
}

func (r *redactor) Host(s string) string       { return r.table.Replace(redact.HostName, s) }
func (r *redactor) Zone(s string) string       { return r.table.Text(s) }
func (r *redactor) MetricName(s string) string { return r.table.Metric(s) }
func (r *redactor) Help(s string) string       { return r.table.HelpText(s) }
func (r *redactor) Labels(s string) string     { return r.table.Labels(s) }

func (r *redactor) Instance(id pcp.InDom, s string) string {
	k := instanceKey{r.domains[id], s}
	name, known := r.instances[k]
	if !known {
		name = r.table.Instance(k.place, s)
		if len(r.instances) >= maxTexts {
			clear(r.instances)
		}
		r.instances[k] = name
	}
	return name
}

func (r *redactor) Text(m *archive.Metric, s []byte) []byte {
	return []byte(r.table.Replace(r.metrics[m.PMID], string(s)))
}

// Events rewrites event records: texts are replaced, opaque bytes left out.
func (r *redactor) Events(t pcp.Type, payload []byte) ([]byte, bool) {
	records, err := archive.UnpackEvents(payload, t)
	if err != nil {
		return nil, false
	}
	b := binary.BigEndian.AppendUint32(nil, uint32(len(records)))
	at := 4
	head := 8
	if t == pcp.HighresEvent {
		head = 16
	}
	for _, rec := range records {
		b = append(b, payload[at:at+head+4]...) // time and flags
		at += head + 4
		if rec.Flags&archive.EventMissed != 0 {
			b = binary.BigEndian.AppendUint32(b, rec.Missed)
			at += 4
			continue
		}
		b = binary.BigEndian.AppendUint32(b, uint32(len(rec.Params)))
		at += 4
		for _, p := range rec.Params {
			size := int(binary.BigEndian.Uint32(payload[at+4:])&0xffffff) - 4
			value := payload[at+8 : at+8+size]
			switch {
			case p.Type == pcp.String:
				value = []byte(r.table.Replace(r.metrics[p.PMID], p.Text()))
			case !p.Type.Numeric() || size != p.Type.Width():
				value = nil
			}
			b = append(b, payload[at:at+4]...)
			b = binary.BigEndian.AppendUint32(b, uint32(p.Type)<<24|uint32(4+len(value)))
			b = append(b, value...)
			for range -len(value) & 3 {
				b = append(b, '~')
			}
			at = min(at+8+(size+3)&^3, len(payload))
		}
	}
	return b, true
}
