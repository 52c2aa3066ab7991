package archive

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pcpscope/core/pcp"
	"pcpscope/internal/reference"
)

// oracle is what libpcp 7.2.1 says of an archive.
type oracle struct {
	Label struct {
		Version                  int
		PID                      int32
		Host, Timezone, Zoneinfo string
		Start, End               pcp.Time
	}
	Metrics []struct {
		Name, PMID, Type, InDom, Units string
		Sem                            int32
		Oneline, Help, Labels          *string
		Err                            json.Number
	}
	InDoms map[string]json.RawMessage
}

// TestMetadataOracle compares all metadata of all reference archives.
func TestMetadataOracle(t *testing.T) {
	expected := map[string]int{"committed": 2, "beside the repository": 141}
	for _, set := range reference.Sets(t) {
		t.Run(set.Name, func(t *testing.T) {
			found, compared := 0, 0
			for _, kind := range []string{"archives", "live", "big"} {
				all := map[string]Group{}
				for _, path := range set.Documents(kind) {
					if found++; len(all) == 0 {
						all = groups(t, set.Corpus(kind))
					}
					if kind == "big" && testing.Short() {
						continue
					}
					name := strings.TrimSuffix(filepath.Base(path), ".json.gz")
					t.Run(name, func(t *testing.T) {
						compared++
						g, ok := all[name]
						if !ok {
							t.Fatal("the archive is not there")
						}
						var want oracle
						reference.JSON(t, path, &want)
						compareMetadata(t, load(t, g), &want)
					})
				}
			}
			t.Logf("%d archives compared (%s)", compared, set.Name)
			if want := expected[set.Name]; found != want || compared == found && compared != want { // -run and -short may leave out some
				t.Errorf("there are %d archives, %d compared, want %d", found, compared, want)
			}
		})
	}
}

func compareMetadata(t *testing.T, a *Archive, want *oracle) {
	l, w := a.Label(), want.Label
	check(t, "version", l.Version, w.Version)
	check(t, "pid", l.PID, w.PID)
	check(t, "host", reference.Latin1(l.Host), w.Host)
	check(t, "timezone", reference.Latin1(l.Timezone), w.Timezone)
	check(t, "zoneinfo", reference.Latin1(l.Zoneinfo), w.Zoneinfo)
	check(t, "start", l.Start, w.Start)
	check(t, "end", a.End(), w.End)
	for _, p := range a.Problems() {
		t.Logf("problem: %v [%s] lost %v", p.Error(), p.Done, p.Lost)
	}
	var names []string
	for _, name := range a.Names() {
		names = append(names, reference.Latin1(name))
	}
	invented := 0 // metrics that libpcp invents in every archive for unpacking events
	for _, m := range want.Metrics {
		if m.Name == "event.flags" || m.Name == "event.missed" {
			invented++
			continue
		}
		if m.Type == "NO_SUPPORT" { // PCP's tools spell it both ways
			m.Type = "NOSUPPORT"
		}
		i, found := slices.BinarySearch(names, m.Name)
		if !found {
			t.Errorf("no metric %s", m.Name)
			continue
		}
		got, _ := a.Lookup(a.Names()[i])
		if m.Err != "" {
			t.Errorf("%s: error %s in the oracle", m.Name, m.Err)
			continue
		}
		check(t, m.Name+" pmid", got.PMID.String(), m.PMID)
		check(t, m.Name+" type", got.Type.String(), m.Type)
		check(t, m.Name+" indom", got.InDom.String(), m.InDom)
		check(t, m.Name+" units", got.Units.String(), m.Units)
		check(t, m.Name+" semantics", int32(got.Sem), m.Sem)
		check(t, m.Name+" oneline", reference.Latin1(got.Oneline), text(m.Oneline))
		check(t, m.Name+" help", reference.Latin1(got.Help), text(m.Help))
		check(t, m.Name+" labels", reference.Latin1(a.Labels(got, a.Start())), text(m.Labels))
	}
	check(t, "number of names", len(names), len(want.Metrics)-invented)
	for id, raw := range want.InDoms {
		indom, ok := pcp.ParseInDom(id)
		if !ok {
			t.Fatalf("domain %q", id)
		}
		list, known := a.Instances(indom)
		var got []string
		for _, inst := range list {
			got = append(got, fmt.Sprintf("%d %s", inst.ID, reference.Latin1(inst.Name)))
		}
		var pairs [][2]json.RawMessage
		if json.Unmarshal(raw, &pairs) != nil {
			check(t, "domain "+id+" known", known, false)
			continue
		}
		var wanted []string
		for _, p := range pairs {
			var name string
			if err := json.Unmarshal(p[1], &name); err != nil {
				t.Fatal(err)
			}
			wanted = append(wanted, string(p[0])+" "+name)
		}
		byID := func(a, b string) int {
			var x, y int
			fmt.Sscan(a, &x)
			fmt.Sscan(b, &y)
			return x - y
		}
		slices.SortStableFunc(wanted, byID)
		check(t, "domain "+id, strconv.Quote(fmt.Sprint(got)), strconv.Quote(fmt.Sprint(wanted)))
	}
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func check[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}
