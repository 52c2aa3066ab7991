package dashboard

import (
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

// builtin.txt has what the Go code defines.
func TestBuiltinIsDefined(t *testing.T) {
	want := defined()
	if os.Getenv("PCPSCOPE_GOLDEN") == "update" {
		if err := os.WriteFile("builtin.txt", []byte(written(t, want)), 0o644); err != nil {
			t.Fatal(err)
		}
		t.Skip("builtin.txt is written; run again to compare")
	}
	if len(want) < 30 {
		t.Fatalf("%d dashboards are defined", len(want))
	}
	list := Builtin()
	for i, d := range want {
		if i >= len(list) || !reflect.DeepEqual(list[i], d) {
			t.Errorf("builtin.txt has another dashboard %q than the Go code; PCPSCOPE_GOLDEN=update writes it", d.ID)
		}
	}
	if len(list) != len(want) {
		t.Errorf("builtin.txt has %d dashboards, and the Go code %d", len(list), len(want))
	}
}

// written is the text of dashboards.
func written(t *testing.T, list []Dashboard) string {
	var b strings.Builder
	line := func(fields ...string) {
		for _, f := range fields {
			if strings.ContainsAny(f, "\t\n") {
				t.Fatalf("a tab or a line break in %q", f)
			}
		}
		for len(fields) > 0 && fields[len(fields)-1] == "" {
			fields = fields[:len(fields)-1]
		}
		b.WriteString(strings.Join(fields, "\t") + "\n")
	}
	number := func(v float64) string {
		if v == 0 {
			return ""
		}
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	for _, d := range list {
		line("D", d.ID, d.Title, string(d.Group), d.What, flags(d.Logging, flagLogging))
		if !reflect.DeepEqual(d.Spark, Spark{}) {
			line(append([]string{"K", d.Spark.Unit, d.Spark.Name}, d.Spark.Exprs...)...)
		}
		for _, p := range d.Panels {
			decimals := ""
			if p.Decimals != nil {
				decimals = strconv.Itoa(*p.Decimals)
			}
			line("P", p.ID, p.Title, p.Unit, string(p.Style), p.What, p.Usual, p.Next, number(p.Max), flags(p.InnermostOnly, flagInnermost)+flags(p.Log, flagLog), number(float64(p.Top)), decimals,
				p.Metricset, p.Only, p.Instead, p.Unless)
			for _, s := range p.Series {
				line(append([]string{"S", s.Name, string(s.Role), s.Unit, flags(s.Below, flagBelow) + flags(s.Bold, flagBold) + flags(s.Right, flagRight) + flags(s.Hidden, flagHidden)}, s.Exprs...)...)
			}
			for _, l := range p.Thresholds {
				line("T", number(l.Value), l.Expr, l.Label, l.Rule, flags(l.Under, flagUnder))
			}
		}
	}
	return b.String()
}

func flags(is bool, flag string) string {
	if is {
		return flag
	}
	return ""
}
