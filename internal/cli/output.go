package cli

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/core/zone"
)

// A line is what --json prints for each source: the answer in the form of the
// API, and the source it is about.
type line struct {
	APIVersion int             `json:"apiVersion"`
	Source     json.RawMessage `json:"source,omitempty"`
	Reply      json.RawMessage `json:"reply"`
}

// reply prints an answer as JSON.
func (r *run) reply(src *api.Source, answer any) error {
	l := line{APIVersion: api.Version}
	var err error
	if src != nil {
		if l.Source, err = api.JSON(*src); err != nil {
			return err
		}
	}
	if l.Reply, err = api.JSON(answer); err != nil {
		return err
	}
	text, err := json.Marshal(l)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(r.exact, "%s\n", text)
	return err
}

// head prints a source's name above its results.
func (r *run) head(src api.Source) {
	loc := r.location(src)
	fmt.Fprintf(r.Out, "%s of %s, %s to %s\n", r.called(src), orUnknown(src.Host), stamp(src.Start, loc), stamp(src.End, loc))
}

func orUnknown(s string) string {
	if s == "" {
		return "an unknown host"
	}
	return s
}

// table aligns columns that are separated by tabs.
func (r *run) table() *tabwriter.Writer { return tabwriter.NewWriter(r.Out, 0, 8, 2, ' ', 0) }

// location is the zone in which times are printed: that of -Z, else the
// source's.
func (r *run) location(src api.Source) *time.Location {
	names := []string{r.zone, src.Zoneinfo, src.Timezone}
	if r.zone == "archive" {
		names = []string{src.Timezone, src.Zoneinfo}
	}
	for _, name := range names {
		if name == "" {
			continue
		}
		if name == "local" {
			return time.Local
		}
		if loc, err := zone.Load(name, time.LoadLocation); err == nil {
			return loc
		}
	}
	return time.UTC
}

// knownZone refuses a -Z that is no zone, also where no time is given in it, and one beside -z.
func (r *run) knownZone(c *cobra.Command) error {
	if c.Flags().Changed("hostzone") && r.zone != "" {
		return wrong("%s: -z and -Z do not go together", c.Name())
	}
	if tz := os.Getenv("TZ"); r.zone == "local" && tz != "" {
		if _, err := zone.Load(tz, time.LoadLocation); err == nil {
			r.zone = tz // time.Local takes a text such as "EST5" for UTC
		}
	}
	if r.zone == "local" || r.zone == "archive" {
		return nil
	}
	_, err := zone.Load(r.zone, time.LoadLocation)
	return err
}

// zoneName is the zone of times on the command line.
func (r *run) zoneName() string {
	if r.zone == "local" {
		return time.Local.String()
	}
	return r.zone
}

func stamp(t pcp.Time, loc *time.Location) string {
	return t.Std().In(loc).Format("2006-01-02 15:04:05 -07:00")
}

// clock is the form of times that are printed together: with the distance from UTC if it
// changes among them, or a local time occurs twice.
func clock(times []pcp.Time, loc *time.Location) (layout string) {
	const plain = "2006-01-02 15:04:05.000"
	before := 0
	for i, t := range times {
		local := t.Std().In(loc)
		_, east := local.Zone()
		if i > 0 && east != before || len(zone.Same(local)) > 1 {
			return plain + " -07:00"
		}
		before = east
	}
	return plain
}

// number formats a value, "-" if there is none.
func number(v float64) string {
	if math.IsNaN(v) {
		return "-"
	}
	return pcp.Digits(v)
}

// series names a series. An expression that selects one instance says so itself.
func series(metric string, in *api.InstanceRef) string {
	if in == nil || strings.HasSuffix(metric, "["+in.Name+"]") {
		return escaped.Replace(metric)
	}
	return escaped.Replace(metric + "[" + in.Name + "]")
}

// escaped makes names fit into a table: its columns end at tabs.
var escaped = strings.NewReplacer("\t", `\t`, "\n", `\n`, "\r", `\r`)

// A window is -S, -T, -t, -s and the zone, as in PCP's tools.
type window struct {
	start, end, interval string
	samples              int
}

func (r *run) windowFlags(c *cobra.Command, w *window, steps bool) {
	f := c.Flags()
	f.StringVarP(&w.start, "start", "S", "", `start time: "10:00", "@2018-04-16 10:00:00", "30min" after the start, "-1h" before the end`)
	f.StringVarP(&w.end, "finish", "T", "", "end time, in the same forms")
	if steps {
		f.StringVarP(&w.interval, "interval", "t", "", `time between values: "10sec", "5min"; default: how often the metrics were logged; with --json 1 s`)
		f.IntVarP(&w.samples, "samples", "s", 0, "how many values")
	}
	r.zoneFlags(c)
}

// instancesFlag adds -i, which may be repeated.
func instancesFlag(c *cobra.Command) *[]string {
	var list names
	c.Flags().VarP(&list, "instance", "i", "only these instances")
	return (*[]string)(&list)
}

// names are separated by commas; quotes, as in CSV, hold together a name that has some. A text
// that is not CSV is a name as it is, such as one with a quote in it.
type names []string

func (n *names) Set(text string) error {
	if list, err := csv.NewReader(strings.NewReader(text)).Read(); err == nil {
		*n = append(*n, list...)
	} else if text != "" {
		*n = append(*n, text)
	}
	return nil
}

func (n *names) String() string { return strings.Join(*n, ",") }

func (n *names) Type() string { return "strings" }

func (r *run) zoneFlags(c *cobra.Command) {
	c.Flags().StringVarP(&r.zone, "timezone", "Z", "", `time zone: "Europe/Berlin", "UTC", "local"; default: that of the host`)
	c.Flags().BoolP("hostzone", "z", true, "use the time zone of the host")
}

// zeroCounts makes a 0 that was given a number next to it, where 0 stands for the usual number.
func zeroCounts(c *cobra.Command, flag string, v *float64) {
	if c.Flags().Changed(flag) && *v == 0 {
		*v = math.SmallestNonzeroFloat64
	}
}

func when(text string) *api.When {
	if text == "" {
		return nil
	}
	if seconds, err := strconv.ParseFloat(text, 64); err == nil && seconds >= 0 && seconds < 1e9 {
		text += "sec" // as PCP's tools interpret it
	}
	return &api.When{Text: text}
}
