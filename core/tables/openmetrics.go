package tables

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"pcpscope/core/export"
	"pcpscope/core/pcp"
)

// openMetrics writes the OpenMetrics text format, version 1.0: a family for
// each metric, whose values are a counter or a gauge, with timestamps. A family
// must be contiguous, so each source has a file of its own.
type openMetrics struct {
	create func(name string) (io.Writer, error)
	files  int
	w      *bufio.Writer
	family string
	begun  string          // the metric of the current family
	taken  map[string]bool // names of families so far, and of their samples
	next   export.Series   // nothing has been written for it yet
	other  bool            // next is of another source than what the file has
	labels string
	total  string // the suffix of a counter
}

func newOpenMetrics(create func(name string) (io.Writer, error)) (*openMetrics, error) {
	o := &openMetrics{create: create}
	return o, o.begin()
}

// begin begins a file.
func (o *openMetrics) begin() error {
	name := "openmetrics.txt"
	if o.files++; o.files > 1 {
		name = fmt.Sprintf("openmetrics-%d.txt", o.files)
	}
	w, err := o.create(name)
	if err != nil {
		return err
	}
	o.w, o.taken, o.begun = bufio.NewWriterSize(w, 1<<18), map[string]bool{}, ""
	return nil
}

// Series implements export.Sink.
func (o *openMetrics) Series(s *export.Series) error {
	o.other = o.other || !sameSource(&o.next, s)
	o.next = *s
	return nil
}

// sameSource reports whether a series could be of the source of the series before it. Those of a
// source come in order; what falls behind is of another one, though host and name be the same, as
// of archives in the folders of two days.
func sameSource(before, s *export.Series) bool {
	order := cmp.Or(cmp.Compare(before.Metric, s.Metric), cmp.Compare(before.InstanceID, s.InstanceID))
	return before.Host == s.Host && before.Source == s.Source && order < 0
}

// head begins a family, and prepares the labels of a series.
func (o *openMetrics) head() error {
	s := &o.next
	if o.other && o.begun != "" {
		if err := o.Close(); err != nil {
			return err
		}
		if err := o.begin(); err != nil {
			return err
		}
	}
	o.other = false
	if s.Metric != o.begun {
		kind, suffixes := "gauge", []string{""}
		o.total = ""
		if s.Semantics == "counter" {
			kind, o.total, suffixes = "counter", "_total", []string{"", "_total", "_created"}
		}
		name := o.take(sanitized(s.Metric), suffixes)
		o.family, o.begun = name, s.Metric
		if _, err := fmt.Fprintf(o.w, "# TYPE %s %s\n# HELP %s %s in %s\n", name, kind, name, escaped(s.Metric), escaped(cmp.Or(s.Units, "no units"))); err != nil {
			return err
		}
	}
	o.labels = `hostname="` + escaped(s.Host) + `"`
	if s.Instance != nil {
		o.labels += `,instname="` + escaped(*s.Instance) + `",instid="` + strconv.Itoa(int(s.InstanceID)) + `"`
	}
	return nil
}

// take returns a name for a family whose samples may have these suffixes. A family must be
// contiguous, and have no sample that another one could have, such as foo_total of a counter
// foo and a gauge foo_total.
func (o *openMetrics) take(wanted string, suffixes []string) (name string) {
	clashes := func(suffix string) bool { return o.taken[name+suffix] }
	name = wanted
	for n := 2; slices.ContainsFunc(suffixes, clashes); n++ {
		name = wanted + "_" + strconv.Itoa(n)
	}
	for _, suffix := range suffixes {
		o.taken[name+suffix] = true
	}
	return name
}

// Samples implements export.Sink.
func (o *openMetrics) Samples(times []pcp.Time, values []float64, exact []string) error {
	if err := o.head(); err != nil {
		return err
	}
	for i, t := range times {
		var text string
		switch {
		case exact != nil && exact[i] != "":
			text = exact[i]
		case math.IsInf(values[i], 1):
			text = "+Inf"
		case math.IsInf(values[i], -1):
			text = "-Inf"
		default:
			text = strconv.FormatFloat(values[i], 'g', -1, 64)
		}
		if _, err := fmt.Fprintf(o.w, "%s%s{%s} %s %s\n", o.family, o.total, o.labels, text, seconds(t)); err != nil {
			return err
		}
	}
	return nil
}

// Strings implements export.Sink: the format has numbers only.
func (o *openMetrics) Strings([]pcp.Time, []string) error { return nil }

// Events implements export.Sink: the format has numbers only.
func (o *openMetrics) Events([]export.Event) error { return nil }

// Close implements export.Sink.
func (o *openMetrics) Close() error {
	o.w.WriteString("# EOF\n")
	return o.w.Flush()
}

// seconds formats a time in seconds since 1970.
func seconds(t pcp.Time) string {
	sec, nsec := t.Split()
	if sec < 0 && nsec > 0 { // nsec counts up from sec
		return fmt.Sprintf("-%d.%09d", -(sec + 1), 1_000_000_000-nsec)
	}
	return fmt.Sprintf("%d.%09d", sec, nsec)
}

// sanitized converts a metric's name to the format's character set, in which a
// name does not begin with a digit.
func sanitized(name string) string {
	if name == "" || name[0] >= '0' && name[0] <= '9' {
		name = "_" + name
	}
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, name)
}

var escaper = strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`)

func escaped(s string) string { return escaper.Replace(s) }
