package worker

import (
	"encoding/json"
	"net/http"
	"path"
	"slices"
	"strings"
	"time"
)

// An Entry is one line of a listing, in the form in which nginx lists folders
// (autoindex_format json), with an address where it is not simply the name.
type Entry struct {
	Name     string `json:"name"`
	Type     string `json:"type"` // "directory" or "file"
	Modified string `json:"mtime,omitempty"`
	Size     int64  `json:"size,omitempty"`
	URL      string `json:"url,omitempty"`
	Files    int    `json:"files,omitempty"` // in a directory that stands for a day
}

// list answers for a folder. At the top these are the hosts. A host's folder
// has its files, and a folder for each day that pmlogger's file names tell;
// the folder of a day has that day's files alone.
func (a *archives) list(w http.ResponseWriter, r *http.Request, folder string) {
	entries, found, err := a.entries(r, folder)
	switch {
	case err != nil:
		fail(w, http.StatusBadGateway, "The bucket does not answer.")
		return
	case !found && folder != "":
		fail(w, http.StatusNotFound, "There is no such folder of archives.")
		return
	}
	text, err := json.Marshal(entries)
	if err != nil {
		fail(w, http.StatusInternalServerError, "The listing cannot be written.")
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if r.Method == http.MethodHead {
		return
	}
	w.Write(text)
}

func (a *archives) entries(r *http.Request, folder string) (entries []Entry, found bool, err error) {
	entries = []Entry{}
	folders, err := a.bucket.Folders(r.Context(), folder)
	if err != nil {
		return nil, false, err
	}
	for _, name := range folders {
		entries = append(entries, Entry{Name: name, Type: "directory"})
	}
	if folder == "" {
		return entries, true, nil
	}
	where, day, back := folder, "", ""
	if host, last := path.Split(strings.TrimSuffix(folder, "/")); len(folders) == 0 && isDay(last) && host != "" {
		// A day of a host, unless there is a real folder of that name.
		any := false
		if err := a.files(r, folder, func(Object) { any = true }); err != nil {
			return nil, false, err
		}
		if !any {
			where, day, back = host, last, "../"
		}
	}
	days := map[string]*Entry{}
	var files []Entry
	err = a.files(r, where, func(o Object) {
		name := path.Base(o.Key)
		of := dayOf(name)
		if day != "" && of != day {
			return
		}
		e := Entry{Name: name, Type: "file", Size: o.Size, Modified: o.Modified.UTC().Format(time.RFC1123)}
		if back != "" {
			e.URL = back + name
		}
		files = append(files, e)
		if of != "" && day == "" {
			if days[of] == nil {
				days[of] = &Entry{Name: of, Type: "directory"}
			}
			days[of].Files++
			days[of].Size += o.Size
		}
	})
	if err != nil {
		return nil, false, err
	}
	for name, d := range days {
		if !slices.Contains(folders, name) {
			entries = append(entries, *d)
		}
	}
	slices.SortFunc(entries, func(x, y Entry) int { return strings.Compare(x.Name, y.Name) })
	return append(entries, files...), len(files)+len(folders) > 0, nil
}

// files walks the files that lie in a folder itself.
func (a *archives) files(r *http.Request, folder string, each func(Object)) error {
	return a.bucket.List(r.Context(), folder, func(o Object) error {
		if rest := strings.TrimPrefix(o.Key, folder); rest != "" && !strings.Contains(rest, "/") {
			each(o)
		}
		return nil
	})
}

// dayOf returns the day in the name that pmlogger_daily gives an archive,
// "20261121.00.10.0", and "" for other names.
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
