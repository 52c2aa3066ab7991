package api

import "pcpscope/core/pcp"

// SaveQuery says what to save as an archive, and how.
type SaveQuery struct {
	Source SourceID `json:"source"`
	Start  *When    `json:"start,omitempty"` // with neither, all of the source
	End    *When    `json:"end,omitempty"`
	Zone   string   `json:"zone,omitempty"`
	// Strict leaves out the last values before the window, without which a
	// counter has no rate at its start.
	Strict     bool     `json:"strict,omitempty"`
	Metrics    []string `json:"metrics,omitempty"`    // names, or their beginnings up to a dot; all where nil
	Instances  []string `json:"instances,omitempty"`  // names; all where nil
	Version    int      `json:"version,omitempty"`    // 2 or 3; that of the source where 0
	VolumeSize float64  `json:"volumeSize,omitempty"` // bytes; 100 MiB where 0
	Compress   string   `json:"compress,omitempty"`   // "none" (default) or "zstd"
	Container  string   `json:"container,omitempty"`  // "tar" (default), "zip", or "files" for one file each
	Every      *When    `json:"every,omitempty"`      // thins: one value for each interval of that length
	Repair     bool     `json:"repair,omitempty"`     // mends what PCP's tools complain of
	Redact     *Redact  `json:"redact,omitempty"`     // replaces texts by pseudonyms
	Name       string   `json:"name,omitempty"`       // base name of the result
}

// Redact says which texts are replaced.
type Redact struct {
	Without []string `json:"without,omitempty"` // kinds that stay
	Words   []string `json:"words,omitempty"`   // own words: plain, or a regular expression between slashes
	Key     string   `json:"key,omitempty"`     // of the pseudonyms, in hex; a random one where absent
}

// Redaction is what is replaced.
type Redaction struct {
	Key  string        `json:"key"`
	List []Replacement `json:"list"`
	// NotLookedAt says what stays as it is, one sentence.
	NotLookedAt string `json:"notLookedAt"`
}

// Replacement is what is replaced of one kind.
type Replacement struct {
	Kind     string   `json:"kind"`
	Title    string   `json:"title"`
	On       bool     `json:"on"`
	Texts    int      `json:"texts"`    // different ones
	Places   int      `json:"places"`   // where they stand
	Local    int      `json:"local"`    // of the texts: short or common ones, replaced where they stand for something and nowhere else
	Examples []string `json:"examples"` // some of them, each followed by its pseudonym
}

// SaveReport says what was saved.
type SaveReport struct {
	Start   pcp.Time `json:"start"` // of the first record
	End     pcp.Time `json:"end"`
	Records int      `json:"records"`
	Marks   int      `json:"marks"`
	Metrics int      `json:"metrics"`
	Volumes int      `json:"volumes"`
	// Notes are sentences on what is otherwise than one may think: converted,
	// left out, missing.
	Notes    []string   `json:"notes"`
	Replaced *Redaction `json:"replaced,omitempty"`
}
