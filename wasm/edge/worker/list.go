package worker

import (
	"encoding/json"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"pcpscope/internal/catalog"
)

// An Entry is one line of a listing, in the format of nginx's folder listings
// (autoindex_format json), with an address if it differs from the name.
type Entry struct {
	Name     string `json:"name"`
	Type     string `json:"type"` // "directory" or "file"
	Modified string `json:"mtime,omitempty"`
	Size     int64  `json:"size,omitempty"`
	URL      string `json:"url,omitempty"`
	Files    int    `json:"files,omitempty"` // in a directory that represents a day
}

// list lists a folder. The top level has the hosts. A host's folder has its
// files, and a virtual folder for each day in pmlogger's file names, which
// has the files of that day.
func (a *archives) list(w http.ResponseWriter, r *http.Request, folder string, who reader) {
	entries, found, err := a.entries(r, folder, who)
	switch {
	case err != nil:
		fail(w, r, http.StatusBadGateway, "The bucket does not answer.")
		return
	case !found && folder != "":
		fail(w, r, http.StatusNotFound, "There is no such folder of archives.")
		return
	}
	text, err := json.Marshal(entries)
	if err != nil {
		fail(w, r, http.StatusInternalServerError, "The listing cannot be written.")
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(text)))
	w.WriteHeader(http.StatusOK)
	if r.Method != http.MethodHead {
		w.Write(text)
	}
}

func (a *archives) entries(r *http.Request, folder string, who reader) (entries []Entry, found bool, err error) {
	folders, objects, err := a.bucket.List(r.Context(), folder)
	if err != nil {
		return nil, false, err
	}
	back := ""
	if host, last := path.Split(strings.TrimSuffix(folder, "/")); len(folders)+len(objects) == 0 && isDay(last) && host != "" {
		// A day of a host, unless a real folder has that name.
		if _, objects, err = a.bucket.List(r.Context(), host+last+"."); err != nil {
			return nil, false, err
		}
		back = "../"
	}
	entries = []Entry{}
	days := map[string]*Entry{}
	var files []Entry
	for _, name := range folders {
		if who.sees(folder + name + "/") {
			entries = append(entries, Entry{Name: name, Type: "directory"})
		}
	}
	for _, o := range objects {
		name := path.Base(o.Key)
		if !who.sees(o.Key) || name == catalog.Name {
			continue
		}
		e := Entry{Name: name, Type: "file", Size: o.Size, Modified: o.Modified.UTC().Format(time.RFC1123)}
		if back != "" {
			e.URL = back + name
		}
		files = append(files, e)
		if of := dayOf(name); back == "" && of != "" && !slices.Contains(folders, of) {
			if days[of] == nil {
				days[of] = &Entry{Name: of, Type: "directory"}
			}
			days[of].Files++
			days[of].Size += o.Size
		}
	}
	for _, d := range days {
		entries = append(entries, *d)
	}
	slices.SortFunc(entries, func(x, y Entry) int { return strings.Compare(x.Name, y.Name) })
	return append(entries, files...), len(objects)+len(folders) > 0, nil
}

// dayOf returns the day in an archive name made by pmlogger_daily,
// "20261121.00.10.0", or "" for other names.
func dayOf(name string) string {
	if len(name) > 8 && name[8] == '.' && isDay(name[:8]) {
		return name[:8]
	}
	return ""
}

func isDay(s string) bool {
	if len(s) != 8 {
		return false
	}
	_, err := time.Parse("20060102", s)
	return err == nil
}
