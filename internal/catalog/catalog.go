// Package catalog lists which days of which hosts a folder or a bucket of
// archives has. It has two parts, so that a page with hundreds of hosts
// requests little: an index of the hosts, and a file with the days of each
// host. docs/operators.md describes both.
package catalog

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Name is the name of both parts: the index at the top, and the days in the
// folder of each host.
const Name = "catalog.json"

// Fleet is the folder beside those of the hosts with the index of all of them
// (docs/fleet.md). It is not a host.
const Fleet = "pcpscope-fleet"

// Version is the version of the format of both parts.
const Version = 1

// An Index lists the hosts.
type Index struct {
	Version  int    `json:"version"`
	Archives string `json:"archives,omitempty"` // address of the folder of the hosts; by default the folder of this file
	Needs    string `json:"needs,omitempty"`    // "token": the requester may not see the hosts without one
	Fleet    string `json:"fleet,omitempty"`    // address of the index of all hosts, relative to the archives; if there is one
	Hosts    []Line `json:"hosts"`              // sorted by name
}

// FleetManifest is the key of the file that lists the files of that index.
const FleetManifest = Fleet + "/manifest.json"

// HasFleet sets whether there is an index of all hosts.
func (i *Index) HasFleet(there bool) {
	if i.Fleet = ""; there {
		i.Fleet = Fleet + "/"
	}
}

// A Line is one host in the index.
type Line struct {
	Host  string `json:"host"`
	Days  int    `json:"days,omitempty"`  // number of days; absent if not known
	First string `json:"first,omitempty"` // "2026-11-21"
	Last  string `json:"last,omitempty"`
}

// A Host lists the archives of one host.
type Host struct {
	Version  int    `json:"version"`
	Host     string `json:"host"`
	Timezone string `json:"timezone,omitempty"` // a TZ string, from the last archive whose index could be read
	Days     []Day  `json:"days"`               // in order
}

// A Day is the archives with that day's date in their names, as pmlogger names
// them; for other names, those that begin on that date in UTC.
type Day struct {
	Day         string `json:"day"`             // "2026-11-21"
	Start       string `json:"start,omitempty"` // RFC 3339, in UTC; absent if no index could be read
	End         string `json:"end,omitempty"`
	Bytes       int64  `json:"bytes"`
	Fingerprint string `json:"fingerprint"` // changes whenever the files do
	Files       []File `json:"files"`       // by name
}

// A File is a part of an archive, in the folder of its host.
type File struct {
	Name string `json:"name"`
	Size int64  `json:"size"`
	// V identifies the current bytes of the file: with ?v= and this text
	// appended to the address, a browser may cache them forever. Absent if the
	// server does not know it.
	V string `json:"v,omitempty"`
}

// Of returns the host's line in the index.
func (h *Host) Of() Line {
	l := Line{Host: h.Host, Days: len(h.Days)}
	if l.Days > 0 {
		l.First, l.Last = h.Days[0].Day, h.Days[l.Days-1].Day
	}
	return l
}

// Set adds or replaces a host's line; a line without days is removed.
func (i *Index) Set(l Line) {
	at, found := slices.BinarySearchFunc(i.Hosts, l.Host, func(l Line, host string) int { return strings.Compare(l.Host, host) })
	switch {
	case found && l.Days == 0:
		i.Hosts = slices.Delete(i.Hosts, at, at+1)
	case found:
		i.Hosts[at] = l
	case l.Days > 0:
		i.Hosts = slices.Insert(i.Hosts, at, l)
	}
}

// Only leaves out the hosts, or files, that the requester may not see; sees is
// called with keys such as "web01/" and "web01/20261121.00.10.0".
func (i *Index) Only(sees func(key string) bool) *Index {
	out := *i
	out.Hosts = slices.DeleteFunc(slices.Clone(i.Hosts), func(l Line) bool { return !sees(l.Host + "/") })
	out.HasFleet(i.Fleet != "" && sees(Fleet+"/"))
	return &out
}

// Only does the same for the files of a host.
func (h *Host) Only(sees func(key string) bool) *Host {
	out := *h
	out.Days = nil
	for _, d := range h.Days {
		files := slices.DeleteFunc(slices.Clone(d.Files), func(f File) bool { return !sees(h.Host + "/" + f.Name) })
		if len(files) == 0 {
			continue
		}
		if len(files) < len(d.Files) {
			d.Files = files
			d.sum()
		}
		out.Days = append(out.Days, d)
	}
	return &out
}

// V derives File.V from a file's ETag or another tag that changes with its
// bytes.
func V(tag string) string {
	sum := sha256.Sum256([]byte(tag))
	return hex.EncodeToString(sum[:6])
}

// sum computes the fields that follow from the files.
func (d *Day) sum() {
	slices.SortFunc(d.Files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	sum := sha256.New()
	d.Bytes = 0
	for _, f := range d.Files {
		d.Bytes += f.Size
		fmt.Fprintln(sum, f.Name, f.Size, f.V)
	}
	d.Fingerprint = hex.EncodeToString(sum.Sum(nil)[:8])
}

// dateOf returns the date in a base name given by pmlogger or pmlogger_daily,
// "20261121.00.10" or "20261121"; "" for other names.
func dateOf(base string) string {
	if len(base) < 8 || len(base) > 8 && base[8] != '.' && base[8] != '-' {
		return ""
	}
	t, err := time.Parse("20060102", base[:8])
	if err != nil {
		return ""
	}
	return t.Format(time.DateOnly)
}

// byDay sorts days.
func byDay(a, b Day) int { return cmp.Compare(a.Day, b.Day) }
