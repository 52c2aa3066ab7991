package mmv

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pcpscope/core/pcp"
	"pcpscope/internal/reference"
)

// fromHex lays out a file by its offsets: "088  0100 0000" puts these bytes at
// 0x88; what is not written is 0.
func fromHex(t *testing.T, size int, dump string) []byte {
	t.Helper()
	b := make([]byte, size)
	for _, line := range strings.Split(strings.TrimSpace(dump), "\n") {
		fields := strings.Fields(line)
		var at int
		if _, err := fmt.Sscanf(fields[0], "%x", &at); err != nil {
			t.Fatal(err)
		}
		data, err := hex.DecodeString(strings.Join(fields[1:], ""))
		if err != nil {
			t.Fatal(err)
		}
		copy(b[at:], data)
	}
	return b
}

// The files of spec/mmv.md section 10, byte by byte, and what the agent of PCP 7.2.1
// makes of them.
func TestWorkedExamples(t *testing.T) {
	simple := mustRead(t, "mmv_simple", fromHex(t, 208, `
		000 4d4d 5600 0100 0000
		008 9eac 0200 8b11 016b
		010 9eac 0200 8b11 016b
		018 0200 0000 0000 0000 6212 0000 7b00 0000
		028 0300 0000 0100 0000 4800 0000 0000 0000
		038 0400 0000 0100 0000 b000 0000 0000 0000
		048 7369 6d70 6c65 2e63 6f75 6e74 6572 00
		088 0100 0000 0100 0000 0100 0000 0000 1000
		0b0 2a00 0000 0000 0000 0000 0000 0000 0000 4800 0000 0000 0000`))
	if simple.Version != 1 || simple.BigEndian || simple.Generation1 != 0x6b01118b_0002ac9e || !simple.Complete() || simple.PID != 4706 || simple.Cluster != 123 || simple.Flags != 0 || len(simple.Problems) != 0 {
		t.Errorf("10.1: header %+v", simple)
	}
	if m := simple.Metrics; len(m) != 1 || m[0].Name != "mmv.mmv_simple.simple.counter" || m[0].Desc.PMID.String() != "70.123.1" || m[0].Desc.Type != pcp.Uint32 || m[0].Desc.Sem != pcp.Counter ||
		m[0].Desc.Units.String() != "count" || m[0].Desc.InDom != pcp.NullInDom || m[0].Oneline != "" || len(m[0].Values) != 1 || m[0].Values[0] != (Value{Inst: pcp.NoInstance, Bits: 42}) {
		t.Errorf("10.1: %+v", m)
	}

	three := mustRead(t, "mmv3_simple", fromHex(t, 2312, `
		000 4d4d 5600 0300 0000
		008 bcec 0100 8b11 016b bcec 0100 8b11 016b
		018 0400 0000 0000 0000 5e12 0000 4101 0000
		028 0300 0000 0200 0000 6800 0000 0000 0000
		038 0400 0000 0200 0000 c800 0000 0000 0000
		048 0500 0000 0600 0000 0801 0000 0000 0000
		058 0600 0000 0200 0000 0807 0000 0000 0000
		068 0801 0000 0000 0000 0100 0000 0100 0000 0100 0000 0000 1000
		088 0803 0000 0000 0000 0804 0000 0000 0000
		098 0802 0000 0000 0000 0200 0000 0300 0000 0300 0000 0000 0000
		0b8 0805 0000 0000 0000 0806 0000 0000 0000
		0c8 2a00 0000 0000 0000 0000 0000 0000 0000 6800 0000 0000 0000
		0f8 9800 0000 0000 0000
		108 `+hexOf("simple3.u32.counter")+`
		208 `+hexOf("simple3.u64.instant")+`
		308 `+hexOf("metric shorttext1")+`
		408 `+hexOf("metric helptext1")+`
		508 `+hexOf("metric shorttext2")+`
		608 `+hexOf("metric helptext2")+`
		708 0800 0000 4101 0000 ffff ffff `+hexOf(`{"registry_label":"string"}`)+`
		738 1a00 0000
		808 1000 0000 0100 0000 ffff ffff `+hexOf(`{"metric_label":321}`)))
	if len(three.Problems) != 0 || len(three.Metrics) != 2 {
		t.Fatalf("10.3: %d metrics, problems %v", len(three.Metrics), three.Problems)
	}
	for i, want := range []string{
		`mmv.mmv3_simple.simple3.u32.counter 70.321.1 U32 counter "count" metric shorttext1 metric helptext1 {"metric_label":321,"registry_label":"string"} 42`,
		`mmv.mmv3_simple.simple3.u64.instant 70.321.2 U64 instant "" metric shorttext2 metric helptext2 {"registry_label":"string"} 0`,
	} {
		m := three.Metrics[i]
		if got := fmt.Sprintf("%s %s %s %s %q %s %s %s %d", m.Name, m.Desc.PMID, m.Desc.Type, m.Desc.Sem, m.Desc.Units, m.Oneline, m.Help, m.Labels, m.Values[0].Bits); got != want {
			t.Errorf("10.3: %s, want %s", got, want)
		}
	}
}

func hexOf(s string) string { return hex.EncodeToString([]byte(s)) }

// See spec/mmv.md section 10.2.
func TestKeyboardReader(t *testing.T) {
	data, err := os.ReadFile(reference.Need(t, "corpus", "mmv", "KeyboardReader"))
	if err != nil {
		t.Fatal(err)
	}
	f := mustRead(t, "KeyboardReader", data)
	if f.Generation1 != 1521614908 || f.PID != 10805 || f.Cluster != 2986 || len(f.InDoms) != 8 || len(f.Metrics) != 18 {
		t.Errorf("header %+v", f)
	}
	i := slices.IndexFunc(f.Metrics, func(m Metric) bool { return m.Name == "mmv.KeyboardReader.java.memory.heap" })
	heap := f.Metrics[i]
	if heap.Desc.PMID.String() != "70.2986.787" || heap.Desc.InDom.String() != "70.1933075" || uint32(heap.Desc.InDom) != 0x119d7f13 || heap.Desc.Units.String() != "byte" {
		t.Errorf("java.memory.heap is %+v", heap.Desc)
	}
	var ids []int32
	for _, v := range heap.Values {
		ids = append(ids, v.Inst)
	}
	if !slices.Equal(ids, []int32{1491142788, 3237136, 107876, 3599293}) || heap.Values[3].Bits != 15500088 {
		t.Errorf("java.memory.heap has %+v", heap.Values)
	}
	i = slices.IndexFunc(f.Metrics, func(m Metric) bool { return strings.HasSuffix(m.Name, "java.runtime_name") })
	if got := f.Metrics[i].Values[0].Text; got != "10805@mars" {
		t.Errorf("java.runtime_name is %q", got)
	}
}

// The arithmetic of spec/mmv.md section 6.2.
func TestInDomNumbers(t *testing.T) {
	for _, tt := range []struct {
		cluster, serial uint32
		want            string
	}{{7, 1, "70.14337"}, {7, 3000, "70.15288"}, {2986, 0x117f13, "70.1933075"}, {2047, 0, "70.4192256"}, {2048, 5, "70.5"}, {4095, 2047, "70.4194303"}} {
		b := newBuilder(binary.LittleEndian, 1)
		b.cluster = tt.cluster
		b.domain(tt.serial, "", "", inst{1, "a"})
		b.metric(metric{name: "m", item: 1, typ: 3, sem: 3, domain: int32(tt.serial)})
		if f := mustRead(t, "x", b.bytes()); f.InDoms[0].ID.String() != tt.want {
			t.Errorf("cluster %d, serial %d is %v, want %s", tt.cluster, tt.serial, f.InDoms[0].ID, tt.want)
		}
	}
}

// The limits of spec/mmv.md sections 7.2 to 7.4: what the agent itself leaves out of files
// made for the purpose is what is called hidden here, and everything is open.
func TestLimitsAgreeWithAgent(t *testing.T) {
	items := func(n int) func(*builder) {
		return func(b *builder) {
			for i := range n {
				b.metric(metric{name: fmt.Sprintf("m%d", i), item: uint32(i), typ: 1, sem: 3})
				b.value(i, -1, uint32(i), 0)
			}
		}
	}
	for name, tt := range map[string]struct {
		version uint32
		open    int
		make    func(*builder)
	}{
		"all":      {1, 1023, items(1023)},
		"item":     {2, 3, func(b *builder) { items(2)(b); b.metric(metric{name: "big", item: 1024, typ: 1, sem: 3}) }},
		"twice":    {1, 3, func(b *builder) { items(2)(b); b.metric(metric{name: "again", item: 1, typ: 1, sem: 3}) }},
		"samename": {1, 3, func(b *builder) { items(2)(b); b.metric(metric{name: "m0", item: 7, typ: 1, sem: 3}) }},
		"badname":  {1, 3, func(b *builder) { items(2)(b); b.metric(metric{name: "a-b", item: 7, typ: 1, sem: 3}) }},
		"oddname":  {1, 3, func(b *builder) { items(2)(b); b.metric(metric{name: "9a._", item: 7, typ: 1, sem: 3}) }},
		"leaf":     {1, 3, func(b *builder) { items(2)(b); b.metric(metric{name: "m0.below", item: 7, typ: 1, sem: 3}) }},
		"nonul": {1, 3, func(b *builder) {
			items(2)(b)
			b.metric(metric{name: strings.Repeat("n", 64), item: 7, typ: 1, sem: 3})
		}},
		"sem": {1, 1, func(b *builder) { b.metric(metric{name: "m", item: 7, typ: 3, sem: 0}); b.value(0, -1, uint64(5), 0) }},
		"units": {2, 1, func(b *builder) {
			b.metric(metric{name: "m", item: 7, typ: 2, sem: 1, units: 0x01002000})
			b.value(0, -1, uint64(5), 0)
		}},
		"domains": {2, 1, func(b *builder) {
			i := b.domain(3000, "", "", inst{-4, "minus"}, inst{4, ""}, inst{9, "nine"})
			b.metric(metric{name: "m", item: 7, typ: 3, sem: 3, domain: 3000})
			b.value(0, i+2, uint64(9), 0)
			b.value(0, i, uint64(4), 0)
			b.value(0, i, uint64(5), 0) // the first counts
		}},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBuilder(binary.LittleEndian, tt.version)
			b.cluster = 7
			tt.make(b)
			path := filepath.Join(t.TempDir(), name)
			if err := os.WriteFile(path, b.bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
			f := mustRead(t, name, b.bytes())
			if len(f.Metrics) != tt.open {
				t.Errorf("%d metrics are open, want %d", len(f.Metrics), tt.open)
			}
			compareWithAgent(t, f, path)
		})
	}
}
