package fleet

import (
	"encoding/json"
	"fmt"

	"pcpscope/core/dashboard"
	"pcpscope/internal/catalog"
)

// Folder is the folder of the dataset, beside the folders of the hosts.
const Folder = catalog.Fleet

// ManifestName is the file that lists the current files.
const ManifestName = "manifest.json"

// Version is the version of the layout.
const Version = 1

// meaning is incremented when what is computed from an archive changes: then
// everything is written again.
const meaning = 1

// A Manifest lists the current files. Other files belong to a run that was
// interrupted, or is still going on.
type Manifest struct {
	Version  int       `json:"version"`
	Archives string    `json:"archives"` // address of the folder of the hosts, relative to this file
	Measures []Measure `json:"measures"`
	Metrics  []string  `json:"metrics"`  // those with every series kept
	Sections []string  `json:"sections"` // of each page file, in order
	Hosts    []Host    `json:"hosts"`    // sorted by name
	Days     []Day     `json:"days"`     // in order
}

// A Measure is a measure by which hosts are compared.
type Measure struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Unit      string `json:"unit,omitempty"`
	Dashboard string `json:"dashboard"`
}

// A Host is the folder of its archives, with facts from the latest of them.
type Host struct {
	Host     string          `json:"host"`
	Name     string          `json:"name,omitempty"` // in the archives, if different
	Timezone string          `json:"timezone,omitempty"`
	Labels   json.RawMessage `json:"labels,omitempty"`
	Last     string          `json:"last"` // day that these facts are from
}

// A Day is a day in UTC.
type Day struct {
	Day         string `json:"day"` // "2026-11-21"
	Hosts       int    `json:"hosts"`
	Rows        int    `json:"rows"`           // of Hourly
	Found       int    `json:"found"`          // rows of Findings
	Fingerprint string `json:"fingerprint"`    // of everything that it was made from
	Hourly      File   `json:"hourly"`         // Parquet
	Findings    File   `json:"findings"`       // Parquet
	Coverage    File   `json:"coverage"`       // Parquet
	Page        File   `json:"page"`           // what the page reads
	Lengths     []int  `json:"lengths"`        // of the sections of Page, in bytes
	Kept        *File  `json:"kept,omitempty"` // for the index's own use, for the last days
}

// A File is named after its bytes.
type File struct {
	Name  string `json:"name"` // relative to the manifest: "hourly/day=2026-11-21/0123456789abcdef.parquet"
	Bytes int64  `json:"bytes"`
}

// files lists the files of a day.
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
	for _, x := range (dashboard.Accounting{}).FleetMeasures() {
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

// text encodes a manifest.
func (m *Manifest) text() ([]byte, error) {
	text, err := json.Marshal(m)
	return append(text, '\n'), err
}
