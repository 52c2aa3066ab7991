package fleet

import (
	"encoding/json"
	"fmt"

	"pcpscope/core/dashboard"
	"pcpscope/internal/catalog"
)

// Folder is where the dataset lies, beside the folders of the hosts.
const Folder = catalog.Fleet

// ManifestName is the file that says which files count.
const ManifestName = "manifest.json"

// Version is that of the layout.
const Version = 1

// meaning changes when what is written of an archive does: then all is
// written again.
const meaning = 1

// A Manifest is the list of what counts. Files that it does not name are those
// of a run that did not end, or of one that goes on.
type Manifest struct {
	Version  int       `json:"version"`
	Archives string    `json:"archives"` // address of the folder of the hosts, from this file
	Measures []Measure `json:"measures"`
	Metrics  []string  `json:"metrics"`  // of which every series is kept
	Sections []string  `json:"sections"` // of each file of the page, in order
	Hosts    []Host    `json:"hosts"`    // by name
	Days     []Day     `json:"days"`     // in order
}

// A Measure is one by which hosts are compared.
type Measure struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Unit      string `json:"unit,omitempty"`
	Dashboard string `json:"dashboard"`
}

// A Host is the folder of its archives, and what the last of them says of it.
type Host struct {
	Host     string          `json:"host"`
	Name     string          `json:"name,omitempty"` // in the archives, where it is another
	Timezone string          `json:"timezone,omitempty"`
	Labels   json.RawMessage `json:"labels,omitempty"`
	Last     string          `json:"last"` // day that says so
}

// A Day is a day of UTC.
type Day struct {
	Day         string `json:"day"` // "2026-11-21"
	Hosts       int    `json:"hosts"`
	Rows        int    `json:"rows"`           // of Hourly
	Found       int    `json:"found"`          // rows of Findings
	Fingerprint string `json:"fingerprint"`    // of all that it was made of
	Hourly      File   `json:"hourly"`         // Parquet
	Findings    File   `json:"findings"`       // Parquet
	Coverage    File   `json:"coverage"`       // Parquet
	Page        File   `json:"page"`           // what the page reads
	Lengths     []int  `json:"lengths"`        // of the sections of Page, in bytes
	Kept        *File  `json:"kept,omitempty"` // the index's own, of the last days
}

// A File is named after its bytes.
type File struct {
	Name  string `json:"name"` // from the manifest: "hourly/day=2026-11-21/0123456789abcdef.parquet"
	Bytes int64  `json:"bytes"`
}

// files are those that count for a day.
func (d *Day) files() []File {
	list := []File{d.Hourly, d.Findings, d.Coverage, d.Page}
	if d.Kept != nil {
		list = append(list, *d.Kept)
	}
	return list
}

// newManifest is the manifest of an empty dataset.
func newManifest(archives string, metrics []string) *Manifest {
	m := &Manifest{Version: Version, Archives: archives, Metrics: metrics, Hosts: []Host{}, Days: []Day{}}
	for _, x := range dashboard.FleetMeasures(false) {
		m.Measures = append(m.Measures, Measure{x.ID, x.Name, x.Unit, x.Dashboard})
	}
	m.Sections = sections(m.Measures)
	return m
}

// ReadManifest reads a manifest.
func ReadManifest(text []byte) (*Manifest, error) {
	m := new(Manifest)
	if err := json.Unmarshal(text, m); err != nil {
		return nil, fmt.Errorf("%s cannot be understood: %w", ManifestName, err)
	}
	if m.Version != Version {
		return nil, fmt.Errorf("%s has version %d; this program writes version %d", ManifestName, m.Version, Version)
	}
	return m, nil
}

// text is what is written of a manifest.
func (m *Manifest) text() ([]byte, error) {
	text, err := json.Marshal(m)
	return append(text, '\n'), err
}
