//go:build !js

package worker

import (
	"context"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"pcpscope/internal/catalog"
)

// FolderCatalog is the up-to-date catalogue of a folder on disk. It is
// cached, so that only changes are read again.
type FolderCatalog struct {
	folder *Folder

	mu    sync.Mutex
	lines map[string]known // by host
	hosts map[string]*catalog.Host
}

// known is a host's line, and the folder's modification time when it was
// made.
type known struct {
	line    catalog.Line
	changed time.Time
}

// NewFolderCatalog makes the catalogue of a folder.
func NewFolderCatalog(f *Folder) *FolderCatalog {
	return &FolderCatalog{folder: f, lines: map[string]known{}, hosts: map[string]*catalog.Host{}}
}

// Index implements Catalog. Unchanged folders are not read; of others only
// the names are.
func (c *FolderCatalog) Index(ctx context.Context) (*catalog.Index, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	index := &catalog.Index{Version: catalog.Version, Hosts: []catalog.Line{}}
	dirs, err := fs.ReadDir(c.folder.root.FS(), ".")
	if err != nil {
		return nil, err
	}
	for _, d := range dirs {
		info, err := c.folder.root.Stat(d.Name())
		if err != nil || !info.IsDir() || d.Name() == catalog.Fleet {
			continue
		}
		k, ok := c.lines[d.Name()]
		if !ok || !k.changed.Equal(info.ModTime()) {
			k = known{c.line(ctx, d.Name()), info.ModTime()}
			c.lines[d.Name()] = k
		}
		index.Set(k.line)
	}
	_, err = c.folder.root.Stat(catalog.FleetManifest)
	index.HasFleet(err == nil)
	return index, nil
}

// line builds a host's line from the file names in its folder, if they
// suffice.
func (c *FolderCatalog) line(ctx context.Context, host string) catalog.Line {
	dir, err := c.folder.root.Open(host)
	if err != nil {
		return catalog.Line{Host: host}
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1) // unsorted: there are thousands
	if err != nil {
		return catalog.Line{Host: host}
	}
	line, ok := catalog.Dated(host, names)
	if !ok {
		if days, err := c.host(ctx, host); err == nil && days != nil {
			line = days.Of()
		}
	}
	return line
}

// Host implements Catalog.
func (c *FolderCatalog) Host(ctx context.Context, host string) (*catalog.Host, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.host(ctx, host)
}

func (c *FolderCatalog) host(ctx context.Context, host string) (*catalog.Host, error) {
	if !fs.ValidPath(host) || host == "." || host == catalog.Fleet || strings.Contains(host, "/") {
		return nil, nil
	}
	files, found, err := described(ctx, c.folder, host)
	if err != nil || !found {
		return nil, err
	}
	days := catalog.Describe(ctx, host, files, c.hosts[host], partsOf(c.folder, host))
	c.hosts[host] = days
	return days, nil
}

// Write writes the catalogue into the folder, for static file servers, and
// returns the number of hosts and days. archives is the URL under which the
// server has the folder.
func (c *FolderCatalog) Write(ctx context.Context, archives string, write func(name string, v any) error) (hosts, days int, err error) {
	index, err := c.Index(ctx)
	if err != nil {
		return 0, 0, err
	}
	index.Archives = archives
	for _, l := range slices.Clone(index.Hosts) {
		h, err := c.Host(ctx, l.Host)
		if err == nil && h != nil {
			// A static file server does not know addresses that identify
			// their bytes.
			for i := range h.Days {
				for k := range h.Days[i].Files {
					h.Days[i].Files[k].V = ""
				}
			}
			err = write(path.Join(l.Host, catalog.Name), h)
			days += len(h.Days)
		}
		if err != nil {
			return 0, 0, err
		}
	}
	return len(index.Hosts), days, write(catalog.Name, index)
}
