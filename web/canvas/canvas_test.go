package canvas

import (
	"reflect"
	"testing"

	"pcpscope/wasm/rpc"
)

func TestEvents(t *testing.T) {
	seven := 7.5
	for _, tt := range []struct {
		kind, text string
		want       Event
	}{
		{"zoom", `{"start":1.5,"end":2}`, Zoom{Start: 1.5, End: 2}},
		{"unzoom", `{}`, Unzoom{}},
		{"cursor", `{"at":7.5}`, Cursor{At: &seven}},
		{"cursor", `{"at":null}`, Cursor{}},
		{"see", `{"panels":[3,1]}`, NearPanels{Panels: []int{3, 1}}},
		{"view", `{"page":"metrics","sort":"name","down":true,"filter":"\u0001<b>"}`, View{Page: "metrics", Sort: "name", Down: true, Filter: "\x01<b>"}},
	} {
		got, err := DecodeEvent(tt.kind, rpc.Message{Text: tt.text})
		if err != nil || !reflect.DeepEqual(got, tt.want) {
			t.Errorf("DecodeEvent(%s, %s) = %#v, %v; want %#v", tt.kind, tt.text, got, err, tt.want)
		}
	}
	for kind, text := range map[string]string{"zoon": `{}`, "zoom": `{"begin":1}`, "pan": `{"share":"much"}`} {
		if e, err := DecodeEvent(kind, rpc.Message{Text: text}); err == nil {
			t.Errorf("DecodeEvent(%s, %s) = %#v, want an error", kind, text, e)
		}
	}
}
