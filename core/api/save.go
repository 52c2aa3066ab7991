package api

import "pcpscope/core/pcp"

// SaveQuery says what to save as an archive, and how.
type SaveQuery struct {
	Source SourceID `json:"source"`
	Start  *When    `json:"start,omitempty"` // with neither, all of the source
	End    *When    `json:"end,omitempty"`
	Zone   string   `json:"zone,omitempty"`
	// Strict leaves out the last values before the window, which a counter
	// needs for a rate at its start.
	Strict     bool     `json:"strict,omitempty"`
	Metrics    []string `json:"metrics,omitempty"`    // names, or their prefixes up to a dot; nil for all
	Instances  []string `json:"instances,omitempty"`  // names; nil for all
	Version    int      `json:"version,omitempty"`    // 2 or 3; 0 for that of the source
	VolumeSize float64  `json:"volumeSize,omitempty"` // bytes; 100 MiB where 0
	Compress   string   `json:"compress,omitempty"`   // "none" (default) or "zstd"
	Container  string   `json:"container,omitempty"`  // "tar" (default), "zip", or "files" for one file each
	Every      *When    `json:"every,omitempty"`      // thins: one value for each interval of that length
	Repair     bool     `json:"repair,omitempty"`     // fixes what PCP's tools complain about
	Redact     *Redact  `json:"redact,omitempty"`     // replaces texts by pseudonyms
	Name       string   `json:"name,omitempty"`       // base name of the result
}

// Redact says which texts are replaced.
type Redact struct {
	Without []string `json:"without,omitempty"` // kinds that are kept
	Words   []string `json:"words,omitempty"`   // the user's own words: plain, or a regular expression between slashes
	Key     string   `json:"key,omitempty"`     // of the pseudonyms, in hex; random if absent
}

// Redaction is what is replaced.
type Redaction struct {
	Key  string        `json:"key"`
	List []Replacement `json:"list"`
	// NotLookedAt is a sentence on what is not replaced.
	NotLookedAt string `json:"notLookedAt"`
}

// Replacement is what is replaced of one kind.
type Replacement struct {
	Kind     string   `json:"kind"`
	Title    string   `json:"title"`
	On       bool     `json:"on"`
	Texts    int      `json:"texts"`    // number of distinct ones
	Places   int      `json:"places"`   // number of occurrences
	Local    int      `json:"local"`    // of the texts: short or common ones, replaced only where their meaning is certain
	Examples []string `json:"examples"` // each followed by its pseudonym
}

// SaveReport says what was saved.
type SaveReport struct {
	Start   pcp.Time `json:"start"` // of the first record
	End     pcp.Time `json:"end"`
	Records int      `json:"records"`
	Marks   int      `json:"marks"`
	Metrics int      `json:"metrics"`
	Volumes int      `json:"volumes"`
	// Notes are sentences on what may be unexpected: converted, left out,
	// missing.
	Notes    []string   `json:"notes"`
	Replaced *Redaction `json:"replaced,omitempty"`
}
