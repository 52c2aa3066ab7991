// Package catalog says which days of which hosts a folder or a bucket of
// archives has. It is in two parts, so that a page with hundreds of hosts asks
// for little: an index of the hosts, and for each host a file with its days.
// docs/operators.md describes both.
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

// Name is what both parts are called: the index at the top, and the days in the
// folder of each host.
const Name = "catalog.json"

// Fleet is the folder beside those of the hosts that has what an index says of
// all of them (docs/fleet.md). It is no host.
const Fleet = "pcpscope-fleet"

// Version is that of the form of both parts.
const Version = 1

// An Index lists the hosts.
type Index struct {
	Version  int    `json:"version"`
	Archives string `json:"archives,omitempty"` // address of the folder of the hosts; where this file lies, if absent
	Needs    string `json:"needs,omitempty"`    // "token": who asked may not see the hosts without one
	Fleet    string `json:"fleet,omitempty"`    // address of what an index says of all hosts, from the archives; where there is one
	Hosts    []Line `json:"hosts"`              // by name
}

// FleetManifest is the key of what lists the files of that index.
const FleetManifest = Fleet + "/manifest.json"

// HasFleet notes whether there is an index of all hosts.
func (i *Index) HasFleet(there bool) {
	if i.Fleet = ""; there {
		i.Fleet = Fleet + "/"
	}
}

// A Line is one host in the index.
type Line struct {
	Host  string `json:"host"`
	Days  int    `json:"days,omitempty"`  // that there is something of; absent where that is not known
	First string `json:"first,omitempty"` // "2026-11-21"
	Last  string `json:"last,omitempty"`
}

// A Host has what there is of one host.
type Host struct {
	Version  int    `json:"version"`
	Host     string `json:"host"`
	Timezone string `json:"timezone,omitempty"` // of the last archive whose index tells: a TZ string
	Days     []Day  `json:"days"`               // in order
}

// A Day is the archives whose names, as pmlogger gives them, have that day's
// date; of other names the date at which they begin, in UTC.
type Day struct {
	Day         string `json:"day"`             // "2026-11-21"
	Start       string `json:"start,omitempty"` // RFC 3339, in UTC; absent where no index tells
	End         string `json:"end,omitempty"`
	Bytes       int64  `json:"bytes"`
	Fingerprint string `json:"fingerprint"` // the same files give the same text
	Files       []File `json:"files"`       // by name
}

// A File is a part of an archive, in the folder of its host.
type File struct {
	Name string `json:"name"`
	Size int64  `json:"size"`
	// V stands for the file's bytes as they are: with ?v= and this text after
	// the address a browser may keep them for good. Absent where the server
	// does not know.
	V string `json:"v,omitempty"`
}

// Of is the host's line in the index.
func (h *Host) Of() Line {
	l := Line{Host: h.Host, Days: len(h.Days)}
	if l.Days > 0 {
		l.First, l.Last = h.Days[0].Day, h.Days[l.Days-1].Day
	}
	return l
}

// Set puts a host's line in its place; one without days is taken out.
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

// Only leaves out the hosts, or files, that somebody may not see; sees is asked
// about keys such as "web01/" and "web01/20261121.00.10.0".
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

// V is the text that stands for the bytes of a file whose ETag, or what else
// changes with it, is tag.
func V(tag string) string {
	sum := sha256.Sum256([]byte(tag))
	return hex.EncodeToString(sum[:6])
}

// sum works out what follows from the files.
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

// dateOf returns the day in the base name that pmlogger and pmlogger_daily give
// an archive, "20261121.00.10" or "20261121"; "" for other names.
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
