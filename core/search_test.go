package core

import (
	"slices"
	"strings"
	"testing"
)

// Labels are searched, those that many metrics share as well as those of a few: the
// metrics with these labels are those that libpcp 7.2.1 lists for this archive.
func TestSearchLabels(t *testing.T) {
	s := NewSession(Options{})
	opened, files, err := s.OpenPath(t.Context(), nil, "../testdata/live/web01")
	if err != nil {
		t.Fatal(err)
	}
	defer files.Close()
	id := opened.Sources[0].ID

	hits, err := s.Search(t.Context(), id, "agent=PMCD", 0)
	if err != nil || len(hits) != 24 {
		t.Fatal(len(hits), err)
	}
	for _, h := range hits {
		if h.Where != "label" || !strings.HasPrefix(h.Excerpt, "agent=pmcd domainname=localdomain") {
			t.Errorf("%s is found by %s: %q", h.Metric, h.Where, h.Excerpt)
		}
	}
	// the second word is in the label, the first in the name
	hits, err = s.Search(t.Context(), id, "pmlogger. agent=pmcd", 0)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, h := range hits {
		names = append(names, h.Metric)
		if h.Where != "name" {
			t.Errorf("%s is found by %s", h.Metric, h.Where)
		}
	}
	slices.Sort(names)
	if want := []string{"pmcd.pmlogger.archive", "pmcd.pmlogger.host", "pmcd.pmlogger.port"}; !slices.Equal(names, want) {
		t.Errorf("found are %v, want %v", names, want)
	}
	if hits, err = s.Search(t.Context(), id, "agent=pmcd agent=linux", 0); err != nil || len(hits) > 0 {
		t.Errorf("two agents at once: %v, %v", hits, err)
	}
}

// pmdumplog -e prints `InDom 60.1[0] labels (21 bytes): {"device_name":"vda"}`,
// and pminfo of PCP 7.2.1 lists 40 metrics of domain 60.1 in this archive.
func TestSearchInLabelsOfInstances(t *testing.T) {
	s, o := openAll(t, live+"web01.meta", live+"web01.index", live+"web01.0.zst")
	hits, err := s.Search(t.Context(), o.Sources[0].ID, "device_name=vda", 0)
	if err != nil || len(hits) != 40 {
		t.Fatalf("%d hits (%v), want 40", len(hits), err)
	}
	for _, h := range hits {
		if h.Where != "label" || h.Instance == nil || h.Instance.Name != "vda" || h.Excerpt != "device_name=vda" {
			t.Errorf("%s is found in %s %q of %+v", h.Metric, h.Where, h.Excerpt, h.Instance)
		}
	}
	if hits, err = s.Search(t.Context(), o.Sources[0].ID, "vda", 1); err != nil || len(hits) != 1 || hits[0].Where != "instance" {
		t.Errorf("an instance found by its name is reported as %+v (%v)", hits, err)
	}
}
