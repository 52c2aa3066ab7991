package mmv

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pcpscope/core/pcp"
	"pcpscope/internal/reference"
)

// What dbpmda(1) prints of the name space and of values.
var (
	leafLine  = regexp.MustCompile(`(?m)^ +leaf (mmv\.\S+)$`)
	pmidLine  = regexp.MustCompile(`^  (70\.\d+\.\d+) `)
	valueLine = regexp.MustCompile(`^    ?(?:inst \[(-?\d+) or \?\?\?\])? ?value (-?\d+)(?: .*)?$`)
)

// TestAgent compares names, and which values there are, with the agent of the
// installed PCP; of whole numbers the values too.
func TestAgent(t *testing.T) {
	reference.NeedAgent(t)
	files, _ := filepath.Glob("../../testdata/mmv/*")
	if dir := reference.Path("corpus", "mmv"); dir != "" {
		more, _ := filepath.Glob(filepath.Join(dir, "*"))
		files = append(files, more...)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			compareWithAgent(t, mustRead(t, file, data), file)
		})
	}
}

// compareWithAgent compares what is exported of a file, and its whole numbers.
func compareWithAgent(t *testing.T, f *File, file string) {
	t.Helper()
	reference.NeedAgent(t)
	var want []string
	for _, m := range leafLine.FindAllStringSubmatch(reference.AskAgent(t, file, "traverse mmv"), -1) {
		if !strings.HasPrefix(m[1], "mmv.control.") {
			want = append(want, m[1])
		}
	}
	slices.Sort(want)
	var got []string
	var ids []string
	byID := map[string]*Metric{}
	for i := range f.Metrics {
		if m := &f.Metrics[i]; m.Hidden == nil {
			got = append(got, m.Name)
			ids = append(ids, m.Desc.PMID.String())
			byID[m.Desc.PMID.String()] = m
		}
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("%d names, the agent has %d: %q, want %q", len(got), len(want), got, want)
	}
	ask := []string{"fetch 70.0.3"} // the first fetch makes it read its files
	for some := range slices.Chunk(ids, 20) {
		ask = append(ask, "fetch "+strings.Join(some, " "))
	}
	values := map[string][]string{}
	id := ""
	for _, line := range strings.Split(reference.AskAgent(t, file, ask...), "\n") {
		if m := pmidLine.FindStringSubmatch(line); m != nil {
			id = m[1]
		} else if m := valueLine.FindStringSubmatch(line); m != nil {
			if m[1] == "" {
				m[1] = "-1"
			}
			values[id] = append(values[id], m[1]+" "+m[2])
		}
	}
	compared := 0
	for _, id := range ids {
		m := byID[id]
		if !m.Desc.Type.Integer() || m.Desc.Type == pcp.Int64 && slices.ContainsFunc(m.Values, func(v Value) bool { return v.Since != 0 }) {
			continue
		}
		var ours []string
		for _, v := range m.Values {
			text := strconv.FormatInt(int64(v.Bits), 10)
			if m.Desc.Type == pcp.Uint32 || m.Desc.Type == pcp.Uint64 {
				text = strconv.FormatUint(v.Bits, 10)
			}
			ours = append(ours, fmt.Sprint(v.Inst, " ", text))
		}
		compared += len(ours)
		if !slices.Equal(ours, values[id]) {
			t.Errorf("%s: %q, the agent has %q", m.Name, ours, values[id])
		}
	}
	t.Logf("compared %d names and %d values with the agent", len(want), compared)
	if len(want) == 0 {
		t.Error("the agent exports nothing")
	}
}
