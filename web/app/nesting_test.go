package app

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pcpscope/core"
	"pcpscope/core/api"
	"pcpscope/core/archive"
	"pcpscope/core/pcp"
	"pcpscope/internal/hostile"
	"pcpscope/wasm/rpc"
)

// nested returns JSON texts nested as deeply as encoding/json accepts, the
// outermost value being an object.
var nested = map[string]func(n int) string{
	"lists":           func(n int) string { return `{"a":` + strings.Repeat("[", n-1) + strings.Repeat("]", n-1) + "}" },
	"objects":         func(n int) string { return strings.Repeat(`{"a":`, n) + "1" + strings.Repeat("}", n) },
	"objects in list": func(n int) string { return strings.Repeat(`{"a":[`, n/2) + strings.Repeat("]}", n/2) },
}

const deepestJSON = 9990 // encoding/json refuses more than 10,000

// deepFiles returns an archive in which everything is nested that can be: names,
// labels of every level, values that are JSON.
func deepFiles(t *testing.T, text string) []File {
	t.Helper()
	w, parts := newArchive(t)
	number := pcp.Desc{PMID: pcp.MakePMID(60, 0, 1), Type: pcp.Uint32, InDom: disks, Sem: pcp.Counter}
	told := pcp.Desc{PMID: pcp.MakePMID(60, 0, 2), Type: pcp.String, InDom: pcp.NullInDom, Sem: pcp.Discrete}
	label := func(level archive.LabelLevel, id uint32, inst int32) error {
		// The writer would read these labels recursively itself, so they replace a text of the same length afterwards.
		return w.Labels(start, level, id, []archive.LabelSet{{Inst: inst, JSON: placeholder(len(text))}})
	}
	steps := []error{
		w.InDom(start, disks, []pcp.Instance{{ID: 0, Name: "sda"}}),
		w.Desc(number, "deep"+strings.Repeat(".a", 2040)), w.Desc(told, "told"),
		label(archive.ContextLabels, 0, pcp.NoInstance), label(archive.DomainLabels, 60, pcp.NoInstance), label(archive.InDomLabels, uint32(disks), pcp.NoInstance),
		label(archive.ClusterLabels, uint32(pcp.MakePMID(60, 0, 0)), pcp.NoInstance), label(archive.ItemLabels, uint32(told.PMID), pcp.NoInstance), label(archive.InstanceLabels, uint32(disks), 0),
	}
	for k := range 3 {
		steps = append(steps, w.Record(start+pcp.Time(k)*second, []archive.ValueSet{
			{PMID: number.PMID, Type: number.Type, Values: []archive.Value{{Inst: 0, Val: uint64(k)}}},
			{PMID: told.PMID, Type: told.Type, Values: []archive.Value{{Inst: pcp.NoInstance, Blob: fmt.Appendf(nil, "%s%*s", text, k, "")}}},
		}))
	}
	if err := errors.Join(append(steps, w.Close())...); err != nil {
		t.Fatal(err)
	}
	var files []File
	for suffix, b := range parts {
		data := bytes.ReplaceAll(b.Bytes(), []byte(placeholder(len(text))), []byte(text))
		files = append(files, File{Name: "deep." + suffix, Size: int64(len(data)), Data: data})
	}
	return files
}

func placeholder(n int) string { return `{"x":"` + strings.Repeat("x", n-8) + `"}` }

// The deepest possible nesting crashes neither the engine nor the page: no
// recursion exceeds WebAssembly's stack. This runs with half of it (see
// TestHalfTheStack).
func TestDeepInputs(t *testing.T) {
	for name, of := range nested {
		t.Run(name, func(t *testing.T) {
			text := of(deepestJSON)
			files := deepFiles(t, text)
			b := openedFor(t, files)
			tab := b.Current()
			list := rpcAnswer(t, b, rpc.Metrics, rpc.MetricsRequest{Source: tab.Source.ID})
			if len(list) != 4 { // with the two that event records need
				t.Fatalf("got %d metrics, want 4", len(list))
			}
			tab.Tree.SetFilter("a") // the tree is unfolded whole
			for _, m := range list {
				tab.Select(m.Name)
				tab.Dashboard.AddPanel(m.Name)
				b.run()
			}
			if n := len(tab.Tree.Rows); n < 2000 {
				t.Errorf("the tree has %d rows, want 2,000 or more", n)
			}
			rpcAnswer(t, b, rpc.Save, api.SaveQuery{Source: tab.Source.ID, Redact: &api.Redact{}})
			rpcAnswer(t, b, rpc.RedactText, rpc.RedactTextRequest{Query: api.SaveQuery{Source: tab.Source.ID, Redact: &api.Redact{}}, Texts: []string{text}})
			if b.engine.broken != nil {
				t.Error(b.engine.broken)
			}
			s := core.NewSession(core.Options{})
			var given []core.File
			for _, f := range files {
				given = append(given, core.File{Name: f.Name, Size: f.Size, At: bytes.NewReader(f.Data.([]byte))})
			}
			opened, err := s.Open(t.Context(), given, nil)
			if err != nil || len(opened.Sources) != 1 {
				t.Fatalf("Open = %+v, %v; want one source", opened, err)
			}
			for _, q := range hostile.Questions() {
				if err := q.Ask(t.Context(), s, opened.Sources[0].ID); err != nil && pcp.AsFault(err).Kind == pcp.Internal {
					t.Errorf("%s: %v", q.Name, err)
				}
			}
		})
	}
}

// rpcAnswer returns the engine's reply, which may be any fault but an internal one.
func rpcAnswer[Request, Reply any](t *testing.T, b watchedBench, call rpc.Call[Request, Reply], in Request) Reply {
	t.Helper()
	out, err := rpc.Invoke(t.Context(), b.Engine, call, in, nil)
	if err != nil && pcp.AsFault(err).Kind == pcp.Internal {
		t.Errorf("%s: %v", call, err)
	}
	return out
}

// The same for sessions, with each of their values replaced in turn by a nested one.
func TestDeepSessions(t *testing.T) {
	files := written(t, "")
	seeds := sessionSeeds(t)
	b := openedFor(t, files)
	deep := json.RawMessage(nested["objects in list"](deepestJSON - 20))
	for _, seed := range seeds {
		for at := 0; ; at++ {
			text := withValue(t, seed, at, deep)
			if text == nil {
				break
			}
			if b.show(t, "s=1."+base64.RawURLEncoding.EncodeToString(deflate(text)), files, false); t.Failed() {
				t.Fatalf("failed with the nested value in place of value %d", at)
			}
		}
	}
}

// withValue returns a JSON text with the nth of its values replaced, or nil if it
// has fewer.
func withValue(t *testing.T, text []byte, at int, v json.RawMessage) []byte {
	var tree any
	if err := json.Unmarshal(text, &tree); err != nil {
		t.Fatal(err)
	}
	var put func(of any) any
	put = func(of any) any {
		if at--; at == -1 {
			return v
		}
		switch of := of.(type) {
		case []any:
			for i := range of {
				of[i] = put(of[i])
			}
		case map[string]any:
			for _, key := range slices.Sorted(maps.Keys(of)) {
				of[key] = put(of[key])
			}
		}
		return of
	}
	if tree = put(tree); at >= 0 {
		return nil
	}
	out, err := json.Marshal(tree)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
