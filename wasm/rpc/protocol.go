// Package rpc is the protocol between the page and the engine: its calls,
// their arguments and results, and how these cross postMessage.
//
// The types are those of package api. The functions of pcpscope.js are these
// calls, with the arguments combined into one object.
package rpc

import (
	"reflect"
	"slices"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
)

// A Call is the name of a method; its type parameters are the request and the
// reply.
type Call[Request, Reply any] string

// The whole protocol.
const (
	Open      Call[OpenRequest, api.Opened]          = "open"
	OpenURL   Call[OpenURLRequest, api.Opened]       = "openURL"
	Sources   Call[None, []api.Source]               = "sources"
	Loaded    Call[SourceRequest, api.Source]        = "loaded"
	Halt      Call[SourceRequest, api.Source]        = "halt"
	Files     Call[SourceRequest, []api.SourceFile]  = "files"
	Close     Call[SourceRequest, Closed]            = "close"
	Metrics   Call[MetricsRequest, []api.Metric]     = "metrics"
	Search    Call[SearchRequest, []api.Hit]         = "search"
	Instances Call[InstancesRequest, []api.Instance] = "instances"
	Fetch     Call[api.Query, *api.Frame]            = "fetch"
	Derive    Call[DeriveRequest, api.Metric]        = "derive"
	Check     Call[CheckRequest, []pcp.Fault]        = "check"
	Summary   Call[api.SummaryQuery, []api.Summary]  = "summary"
	Inspect   Call[SourceRequest, []pcp.Fault]       = "inspect"
	CheckRule Call[api.CheckQuery, api.Checked]      = "checkRule"

	Definitions Call[SourceRequest, []api.Definition]  = "definitions"
	Define      Call[DefineRequest, api.Defined]       = "define"
	Undefine    Call[UndefineRequest, bool]            = "undefine"
	Config      Call[SourceRequest, string]            = "config"
	Complete    Call[CompleteRequest, api.Completion]  = "complete"
	Describe    Call[DescribeRequest, api.Description] = "describe"
	Update      Call[UpdateRequest, api.Source]        = "update"

	Overview   Call[SourceRequest, api.Overview]           = "overview"
	Findings   Call[SourceRequest, []api.Finding]          = "findings"
	Dashboards Call[SourceRequest, []api.DashboardInfo]    = "dashboards"
	Dashboard  Call[DashboardRequest, api.Dashboard]       = "dashboard"
	Import     Call[ImportRequest, api.ImportedDashboards] = "importDashboards"
	Rules      Call[SourceRequest, []api.Rule]             = "rules"
	SetRule    Call[SetRuleRequest, []api.Rule]            = "setRule"
	RunRules   Call[api.RulesQuery, api.RuleResults]       = "runRules"
	Processes  Call[api.ProcessQuery, api.ProcessTable]    = "processes"
	Consumers  Call[api.ConsumerQuery, api.Consumers]      = "consumers"
	Compare    Call[api.CompareQuery, api.Comparison]      = "compare"

	Days        Call[api.DaysQuery, api.Days]            = "days"
	UnusualDays Call[api.UnusualQuery, []api.UnusualDay] = "unusualDays"
	Explain     Call[api.ExplainQuery, api.Explanation]  = "explain"
	Story       Call[api.StoryQuery, api.Story]          = "story"
	Moves       Call[api.MovesQuery, api.Moves]          = "moves"

	Save       Call[api.SaveQuery, Saved]         = "save"
	Export     Call[api.ExportQuery, Exported]    = "exportTables"
	Redaction  Call[api.SaveQuery, api.Redaction] = "redaction"
	RedactText Call[RedactTextRequest, []string]  = "redactText"

	// Used by the page only, which must not be blocked by long replies.
	Chart        Call[api.ChartQuery, Charted]                = "chart"
	MetricPart   Call[MetricPartRequest, Part]                = "metricPart"
	InstancePart Call[InstancePartRequest, InstancePartReply] = "instancePart" // pcpscope.js makes instances of it
	SummaryPart  Call[SummaryPartRequest, SummaryPartReply]   = "summaryPart"  // and summary
	About        Call[AboutRequest, api.Metric]               = "about"
	Matching     Call[MatchingRequest, []uint8]               = "matching"
	Cadences     Call[CadencesRequest, []api.Cadence]         = "cadences"

	Activity   Call[SourceRequest, []api.Activity]      = "activity"
	Sparklines Call[SparklinesRequest, []api.Sparkline] = "sparklines"
)

// Methods lists all methods, for tests: a function, because a program that does not call it does not contain it.
func Methods() []Method {
	return []Method{
		method(Open), method(OpenURL), method(Sources), method(Loaded), method(Halt), method(Files), method(Close), method(Metrics), method(Search),
		method(Instances), method(Fetch), method(Derive), method(Check), method(CheckRule), method(Summary), method(Inspect),
		method(Definitions), method(Define), method(Undefine), method(Config), method(Complete), method(Describe), method(Update),
		method(Overview), method(Findings), method(Dashboards), method(Dashboard), method(Import), method(Rules), method(SetRule), method(RunRules), method(Processes), method(Consumers),
		method(Compare), method(Days), method(UnusualDays), method(Explain), method(Story), method(Moves), method(Chart), method(MetricPart), method(InstancePart), method(SummaryPart), method(About), method(Matching), method(Cadences), method(Save), method(Export), method(Redaction), method(RedactText), method(Activity), method(Sparklines),
	}
}

// A Method is a Call with its types as values.
type Method struct {
	Name           string
	Request, Reply reflect.Type
}

func method[Request, Reply any](c Call[Request, Reply]) Method {
	return Method{string(c), reflect.TypeFor[Request](), reflect.TypeFor[Reply]()}
}

// PageOnly reports whether a method is not offered by pcpscope.js.
func (m Method) PageOnly() bool {
	return slices.Contains([]string{string(Chart), string(MetricPart), string(InstancePart), string(SummaryPart), string(About), string(Matching), string(Cadences)}, m.Name)
}

// A Part is a batch of a source's metrics, in the order of Metrics: without labels and
// long help, and with long one-line help truncated.
type Part struct {
	Metrics []api.Metric `json:"metrics"`
	Total   int          `json:"total"` // of the source
}

// MetricPartRequest requests the metrics from an index on. The engine chooses the size of
// the batch.
type MetricPartRequest struct {
	Source api.SourceID `json:"source"`
	From   int          `json:"from"`
}

// InstancePartReply is a batch of the instances of a domain, in the order of
// Instances.
type InstancePartReply struct {
	Instances []api.Instance `json:"instances"`
	Total     int            `json:"total"` // of the domain
}

// InstancePartRequest requests the instances of a domain from an index on.
// The engine chooses the size of the batch.
type InstancePartRequest struct {
	Source api.SourceID `json:"source"`
	InDom  string       `json:"indom"`
	From   int          `json:"from"`
}

// SummaryPartRequest requests the series of a summary from an index on: those of
// the reply before it, in the order of Summary, or the first. The engine chooses
// the size of the batch.
type SummaryPartRequest struct {
	Query api.SummaryQuery `json:"query"`
	From  int              `json:"from"`
}

// SummaryPartReply is a batch of the series of a summary, in the order of Summary.
type SummaryPartReply struct {
	Series []api.Summary `json:"series"`
	Next   int           `json:"next"` // the index of the first series that is left; 0 if none are
}

// AboutRequest requests everything known about one metric. Very long texts are truncated.
type AboutRequest struct {
	Source api.SourceID `json:"source"`
	Metric string       `json:"metric"`
}

// MatchingRequest requests which metrics have all these words in their texts: 1 if so,
// else 0, in the order of Metrics.
type MatchingRequest struct {
	Source api.SourceID `json:"source"`
	Text   string       `json:"text"`
}

// CadencesRequest requests how often metrics or expressions were logged: of what has been
// read so far, if Partial.
type CadencesRequest struct {
	Source  api.SourceID `json:"source"`
	Metrics []string     `json:"metrics"`
	Partial bool         `json:"partial,omitempty"`
}

// Charted is a frame with the values and reasons of its columns stored separately, so that
// the receiver can leave them in their buffer.
type Charted struct {
	Frame   api.Frame       `json:"frame"` // with neither Values nor Why
	Values  []Numbers       `json:"values"`
	Low     []Numbers       `json:"low"` // minimum and maximum of each step; empty if every point is a single observation
	High    []Numbers       `json:"high"`
	Why     []Octets        `json:"why"`
	Lines   []api.ChartLine `json:"lines"` // by column
	Others  int             `json:"others"`
	LeftOut int             `json:"leftOut"`
	Reason  int             `json:"reason"`
	Cut     int             `json:"cut"` // number of lines beyond the maximum
	// Unreadable is what Consumers has.
	Unreadable string `json:"unreadable,omitempty"`
	Total      int    `json:"total"` // the column with the total height of all lines; -1 if none
}

// NewCharted moves the values of a frame's columns out of the frame. Their statistics are
// in Lines.
func NewCharted(f *api.Frame, lines []api.ChartLine, others, leftOut int, reason uint8, total int) Charted {
	c := Charted{Frame: *f, Lines: lines, Others: others, LeftOut: leftOut, Reason: int(reason), Total: total}
	c.Frame.Columns = make([]api.Column, len(f.Columns))
	for i, column := range f.Columns {
		c.Values, c.Why = append(c.Values, Floats(column.Values)), append(c.Why, Bytes(column.Why))
		c.Low, c.High = append(c.Low, Floats(column.Low)), append(c.High, Floats(column.High))
		column.Values, column.Low, column.High, column.Why, column.Statistics = nil, nil, nil, nil, nil
		c.Frame.Columns[i] = column
	}
	return c
}

// None is the request of a call without arguments.
type None struct{}

// OpenRequest passes files to the engine.
type OpenRequest struct {
	Files []File `json:"files"`
	// Charts says that charts are asked for next. Those of many archives go before reading.
	Charts bool `json:"charts,omitempty"`
}

// OpenURLRequest names what to fetch. All URLs are absolute.
type OpenURLRequest struct {
	URLs    []string `json:"urls"`
	Headers []Header `json:"headers"`
	Origin  string   `json:"origin"` // of the page
}

// A Header is sent with each request.
type Header struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// A File is a file provided by the user.
type File struct {
	Name     string  `json:"name"`
	Data     Blob    `json:"data"`
	Modified float64 `json:"modified"` // milliseconds since 1970, as File.lastModified; 0 if unknown
}

// A Blob is a JavaScript Blob: a js.Value in the browser, anything the engine can read in
// tests. This package only passes it on.
type Blob any

// Saved is the result of a save.
type Saved struct {
	Files  []SavedFile    `json:"files"`
	Report api.SaveReport `json:"report"`
}

// Exported is the result of an export.
type Exported struct {
	Files  []SavedFile      `json:"files"`
	Report api.ExportReport `json:"report"`
}

// A SavedFile is one file for the user.
type SavedFile struct {
	Name  string  `json:"name"`
	Bytes float64 `json:"bytes"`
	Data  Blob    `json:"data"`
}

// RedactTextRequest asks for texts with the same replacements as in an archive
// that is saved with the same Query.
type RedactTextRequest struct {
	Query api.SaveQuery `json:"query"`
	Texts []string      `json:"texts"`
}

// SourceRequest names a source.
type SourceRequest struct {
	Source api.SourceID `json:"source"`
}

// Closed describes what remains after a close. pcpscope.js uses it to decide whether to
// start a new worker and so release the memory of this one.
type Closed struct {
	Open   int     `json:"open"`   // sources still open
	Memory float64 `json:"memory"` // bytes that the engine has allocated
}

// MetricsRequest requests metadata; Prefix "" for all metrics.
type MetricsRequest struct {
	Source api.SourceID `json:"source"`
	Prefix string       `json:"prefix,omitempty"`
}

// SearchRequest searches for a text; Limit 0 is the engine's default.
type SearchRequest struct {
	Source api.SourceID `json:"source"`
	Text   string       `json:"text"`
	Limit  int          `json:"limit,omitempty"`
}

// SparklinesRequest requests metrics or expressions with the given number of points each.
type SparklinesRequest struct {
	Source api.SourceID `json:"source"`
	Names  []string     `json:"names"`
	Points int          `json:"points"`
}

// InstancesRequest names an instance domain: "60.1".
type InstancesRequest struct {
	Source api.SourceID `json:"source"`
	InDom  string       `json:"indom"`
}

// DeriveRequest defines a derived metric.
type DeriveRequest struct {
	Source     api.SourceID `json:"source"`
	Name       string       `json:"name"`
	Expression string       `json:"expression"`
}

// CheckRequest checks an expression.
type CheckRequest struct {
	Source     api.SourceID `json:"source"`
	Expression string       `json:"expression"`
}

// DefineRequest gives definitions in the syntax of PCP's configuration files;
// File names the text in faults.
type DefineRequest struct {
	Source api.SourceID `json:"source"`
	Text   string       `json:"text"`
	File   string       `json:"file,omitempty"`
}

// UndefineRequest names a definition to forget.
type UndefineRequest struct {
	Source api.SourceID `json:"source"`
	Name   string       `json:"name"`
}

// CompleteRequest asks for completions at a position in UTF-16 units.
type CompleteRequest struct {
	Source api.SourceID `json:"source"`
	Text   string       `json:"text"`
	At     int          `json:"at"`
}

// DescribeRequest asks for the result type of an expression.
type DescribeRequest struct {
	Source     api.SourceID `json:"source"`
	Expression string       `json:"expression"`
}

// UpdateRequest gives the present contents of a source's MMV file.
type UpdateRequest struct {
	Source api.SourceID `json:"source"`
	File   File         `json:"file"`
}

// DashboardRequest names one dashboard of a source.
type DashboardRequest struct {
	Source api.SourceID `json:"source"`
	ID     string       `json:"id"`
}

// SetRuleRequest changes a threshold; without a value it restores the
// default.
type SetRuleRequest struct {
	Source api.SourceID `json:"source"`
	Name   string       `json:"name"`
	Value  *float64     `json:"value,omitempty"`
}

// ImportRequest hands over the text of a pmchart view or a pmrep configuration.
type ImportRequest struct {
	Source api.SourceID `json:"source"`
	Name   string       `json:"name"` // of the file
	Text   string       `json:"text"`
}

// Size is how many bytes the values and reasons take; 0 for nil.
func (c *Charted) Size() (n int) {
	if c == nil {
		return 0
	}
	for _, list := range [][]Numbers{c.Values, c.Low, c.High} {
		for _, v := range list {
			n += 8 * v.Len()
		}
	}
	for _, v := range c.Why {
		n += v.Len()
	}
	return n
}
