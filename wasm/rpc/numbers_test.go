package rpc

import (
	"reflect"
	"testing"
)

type chart struct {
	Times  Numbers `json:"times"`
	Values Numbers `json:"values"`
	Why    Octets  `json:"why"`
}

// Data in another message is referred to, not copied.
func TestNumbersStayWhereTheyAre(t *testing.T) {
	text := `{"times":{"@f":[0,2]},"values":{"@f":[16,3]},"why":{"@b":[40,3]}}`
	data := make([]byte, 48)
	kept := &Buffer{JS: "the other message's data", Len: len(data), Read: func(at, n int) []byte { return data[at : at+n] }}
	var c chart
	if err := Decode(Message{Text: text, Kept: kept}, &c); err != nil {
		t.Fatal(err)
	}
	if c.Values.Len() != 3 || c.Why.Len() != 3 || !c.Values.InBuffer() || c.Values.Floats != nil {
		t.Errorf("the message gives %+v", c)
	}
	c.Times = Floats([]float64{7}) // a Go slice
	m := Encode(c)
	if want := `{"times":{"@f":[0,1]},"values":{"@f":[16,3,0]},"why":{"@b":[40,3,0]}}`; m.Text != want {
		t.Errorf("the text is %s, want %s", m.Text, want)
	}
	if len(m.Data) != 8 || len(m.Blobs) != 1 || m.Blobs[0] != kept.JS {
		t.Errorf("the message has %d bytes and %v beside the text", len(m.Data), m.Blobs)
	}
}

func TestNumbersOfThisProgram(t *testing.T) {
	in := chart{Floats([]float64{1, 2}), Floats(nil), Bytes([]byte{3})}
	var out chart
	if err := Decode(Encode(in), &out); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(out.Times.Floats, []float64{1, 2}) || out.Values.Len() != 0 || !reflect.DeepEqual(out.Why.Bytes, []byte{3}) || out.Times.InBuffer() {
		t.Errorf("%+v comes back as %+v", in, out)
	}
	if err := Decode(Message{Text: `{"times":{"@f":[-1,2]}}`, Kept: &Buffer{}}, &out); err == nil {
		t.Error("an array before the data has no fault")
	}
}
