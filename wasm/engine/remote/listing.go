package remote

import (
	"bytes"
	"encoding/json"
	"net/url"
	"path"
	"strings"

	"pcpscope/core/pcp"
)

const (
	maxListing = 32 << 20 // bytes
	maxFiles   = 20_000   // in a listing
)

// An entry is a file named by a listing.
type entry struct {
	url  *url.URL
	size int64 // -1 where the listing does not tell
}

// parseListing reads a folder's listing: a JSON array of names, or of objects
// with a name and perhaps a size and a type, as from nginx (autoindex_format
// json), Caddy and this project's Worker; or an object with such an array as
// "files". Subfolders and entries on other hosts are ignored.
func parseListing(at *url.URL, text []byte) ([]entry, *pcp.Fault) {
	text = bytes.TrimSpace(text)
	if bytes.HasPrefix(text, []byte("<")) {
		return nil, pcp.Faultf(pcp.Unsupported, "%s sent a web page for this folder, not a JSON listing; give the URLs of the files, or have the server list folders as JSON (nginx: autoindex_format json).", at.Host)
	}
	var items []json.RawMessage
	if err := json.Unmarshal(text, &items); err != nil {
		var boxed struct{ Files []json.RawMessage }
		if json.Unmarshal(text, &boxed) != nil || boxed.Files == nil {
			return nil, pcp.Faultf(pcp.Unsupported, "What %s sent for this folder is not a JSON listing.", at.Host)
		}
		items = boxed.Files
	}
	if len(items) > maxFiles {
		return nil, pcp.Faultf(pcp.OutOfMemory, "The listing has %d files; open some of them.", len(items))
	}
	var entries []entry
	for _, item := range items {
		var e struct {
			Name, Type, URL string
			Size            *float64
			Dir             bool `json:"is_dir"`
		}
		if json.Unmarshal(item, &e.Name) != nil {
			if json.Unmarshal(item, &e) != nil {
				continue
			}
		}
		if e.Dir || e.Type == "directory" || e.Name == "" || strings.HasSuffix(e.Name, "/") {
			continue
		}
		ref := &url.URL{Path: e.Name} // a name is not a URL: "a:b" and "a?b" are taken literally
		if e.URL != "" {
			var err error
			if ref, err = url.Parse(e.URL); err != nil {
				continue
			}
		} else if strings.Contains(e.Name, ":") {
			ref.Path = "./" + e.Name
		}
		u := at.ResolveReference(ref)
		if u.Scheme != at.Scheme || u.Host != at.Host {
			continue
		}
		size := int64(-1)
		if e.Size != nil && *e.Size >= 0 && *e.Size < 1<<53 {
			size = int64(*e.Size)
		}
		entries = append(entries, entry{u, size})
	}
	return entries, nil
}

// useful selects files named like parts of archives, or if there are none,
// containers and other files, which may be MMV files.
func useful(all []entry) []entry {
	var parts, boxes []entry
	for _, e := range all {
		name := path.Base(e.url.Path)
		if part, _ := component(name); part {
			parts = append(parts, e)
		} else if container(name) {
			boxes = append(boxes, e)
		}
	}
	switch {
	case len(parts) > 0:
		return parts
	case len(boxes) > 0:
		return boxes
	}
	return all[:min(len(all), 100)]
}
