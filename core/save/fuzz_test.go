package save

import (
	"bytes"
	"context"
	"encoding/binary"
	"strings"
	"testing"

	"pcpscope/core/archive"
	"pcpscope/core/pcp"
	"pcpscope/core/redact"
)

// FuzzWrite saves any archive that can be opened, with varying options: the
// result opens without problems, and without the host's name if that is
// redacted.
func FuzzWrite(f *testing.F) {
	p := &planting{}
	for _, out := range []files{plant(f, p, 60)} {
		for way := range byte(64) {
			f.Add(out["meta"].Bytes(), out["index"].Bytes(), out["0"].Bytes(), way, int64(0), int64(0))
		}
	}
	f.Fuzz(func(t *testing.T, meta, index, data []byte, way byte, from, to int64) {
		parts := files{"meta": bytes.NewBuffer(meta), "index": bytes.NewBuffer(index), "0": bytes.NewBuffer(data)}
		var list []archive.Member
		for suffix, b := range parts {
			list = append(list, archive.Member{Name: "a." + suffix, Size: int64(b.Len()), At: bytes.NewReader(b.Bytes())})
		}
		groups, _ := archive.Groups(list)
		a, err := archive.Open(context.Background(), groups[0])
		if err != nil || a.Load(context.Background(), nil) != nil {
			return
		}
		q := Request{Parts: []*archive.Archive{a}, Version: 2 + int(way&1), Repair: way&2 != 0, Strict: way&4 != 0, VolumeSize: 1 << 12}
		if way&8 != 0 {
			q.Every = 30 * second
		}
		if way&16 != 0 {
			q.Start, q.End = a.Start()+pcp.Time(from%int64(1e12)), a.Start()+pcp.Time(to%int64(1e12))
		}
		var table *redact.Table
		if way&32 != 0 {
			table, _ = redact.New(redact.Options{})
			if q.Rewrite, err = Redact(q.Parts, table, nil); err != nil {
				t.Fatal(err)
			}
		}
		out := files{}
		if _, err := Write(context.Background(), q, out.create, nil); err != nil {
			if pcp.AsFault(err).Kind == pcp.Internal {
				t.Errorf("internal error: %v", err)
			}
			return
		}
		again := out.open(t, "a")
		for _, fault := range again.Problems() {
			if q.Repair || table != nil {
				t.Errorf("the saved archive has a problem: %+v", fault)
			}
		}
		if table == nil {
			return
		}
		for suffix, b := range out {
			if err := table.Scan("a."+suffix, b); err != nil {
				t.Error(err)
			}
		}
	})
}

// FuzzEvents rewrites any event records: the result can be unpacked, has as
// many records, and none of the texts.
func FuzzEvents(f *testing.F) {
	const secret = "hunter2hunter2"
	message := binary.BigEndian.AppendUint32(nil, 1)
	message = append(message, 0x65, 0x53, 0xf1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 7, 0, 4, 1, 6, 0, 0, byte(4+len(secret)))
	message = append(append(message, secret...), 0, 0)
	f.Add(message, false)
	f.Fuzz(func(t *testing.T, payload []byte, high bool) {
		table, err := redact.New(redact.Options{Words: []string{secret}})
		if err != nil {
			t.Fatal(err)
		}
		typ := pcp.Event
		if high {
			typ = pcp.HighresEvent
		}
		table.Collect(redact.UserName, secret)
		if err := table.Seal(nil); err != nil {
			t.Fatal(err)
		}
		r := &redactor{table: table}
		out, ok := r.Events(typ, payload)
		if !ok {
			return
		}
		was, _ := archive.UnpackEvents(payload, typ)
		is, err := archive.UnpackEvents(out, typ)
		if err != nil || len(is) != len(was) {
			t.Errorf("%d records become %d: %v", len(was), len(is), err)
		}
		for _, rec := range is {
			for _, p := range rec.Params {
				if p.Type == pcp.String && strings.Contains(strings.ToLower(p.Text()), secret) {
					t.Error("the text is still there")
				}
			}
		}
	})
}
