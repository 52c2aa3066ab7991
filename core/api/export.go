package api

import "pcpscope/core/pcp"

// ExportQuery says which observations to write as tables, and how.
type ExportQuery struct {
	Source SourceID `json:"source"`
	Start  *When    `json:"start,omitempty"` // with neither, all of the source
	End    *When    `json:"end,omitempty"`
	Zone   string   `json:"zone,omitempty"`
	// Metrics are names, prefixes of names up to a dot, or expressions; nil for
	// all logged metrics and the user's own derived ones.
	Metrics   []string `json:"metrics,omitempty"`
	Instances []string `json:"instances,omitempty"` // names; nil for all
	Format    string   `json:"format,omitempty"`    // "parquet" (default), "arrow", "csv", "jsonl" or "openmetrics"
	Container string   `json:"container,omitempty"` // "tar" (default), "zip", or "files" for one file each
	Name      string   `json:"name,omitempty"`      // base name of the result
}

// ExportReport says what was written.
type ExportReport struct {
	Start   pcp.Time `json:"start"` // of the first observation, or of the window if there is none
	End     pcp.Time `json:"end"`
	Series  int      `json:"series"`
	Samples int      `json:"samples"` // numbers
	Strings int      `json:"strings"`
	Events  int      `json:"events"`
	// Notes are sentences on what was left out.
	Notes []string `json:"notes"`
}
