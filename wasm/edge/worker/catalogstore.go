package worker

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"pcpscope/internal/catalog"
)

// A Writer writes what the Worker stores in its bucket.
type Writer interface {
	// Put replaces the object with this tag, or creates one if tag is "". ok
	// is false if another version is there by now.
	Put(ctx context.Context, key string, data []byte, tag string) (ok bool, err error)
}

// A CatalogStore stores the catalogue in the bucket. Changed updates it when the
// bucket notifies of changes; without notifications, a part older than an hour
// is updated when it is requested.
type CatalogStore struct {
	Bucket
	Writer
	Now func() time.Time // time.Now where nil
}

const (
	keptFor  = time.Hour
	attempts = 5 // to write the index beside others who do
)

// current reports whether a stored part may still be served.
func (k *CatalogStore) current(o *Object) bool {
	now := time.Now
	if k.Now != nil {
		now = k.Now
	}
	return o != nil && now().Sub(o.Modified) < keptFor
}

// read reads a part of the catalogue. An unreadable part counts as absent,
// and is made again.
func read[T any](ctx context.Context, k *CatalogStore, key string) (*T, *Object, error) {
	text, o, err := k.Read(ctx, key, nil)
	if err != nil || o == nil {
		return nil, nil, err
	}
	v := new(T)
	if json.Unmarshal(text, v) != nil {
		return nil, o, nil
	}
	return v, o, nil
}

// Index implements Catalog.
func (k *CatalogStore) Index(ctx context.Context) (*catalog.Index, error) {
	index, o, err := read[catalog.Index](ctx, k, catalog.Name)
	if err != nil || index != nil && k.current(o) {
		return index, err
	}
	hosts, _, err := k.List(ctx, "")
	if err != nil {
		return nil, err
	}
	fleet, err := k.Head(ctx, catalog.FleetManifest)
	if err != nil {
		return nil, err
	}
	hosts = slices.DeleteFunc(hosts, func(host string) bool { return host == catalog.Fleet })
	return k.change(ctx, func(index *catalog.Index) {
		index.HasFleet(fleet != nil)
		index.Hosts = slices.DeleteFunc(index.Hosts, func(l catalog.Line) bool { return !slices.Contains(hosts, l.Host) })
		for _, host := range hosts { // their days are read on request
			if !slices.ContainsFunc(index.Hosts, func(l catalog.Line) bool { return l.Host == host }) {
				index.Hosts = append(index.Hosts, catalog.Line{Host: host})
			}
		}
		slices.SortFunc(index.Hosts, func(a, b catalog.Line) int { return strings.Compare(a.Host, b.Host) })
	})
}

// change changes the index, and retries if another instance changed it
// meanwhile.
func (k *CatalogStore) change(ctx context.Context, how func(*catalog.Index)) (*catalog.Index, error) {
	for try := 1; ; try++ {
		index, o, err := read[catalog.Index](ctx, k, catalog.Name)
		if err != nil {
			return nil, err
		}
		tag := ""
		if o != nil {
			tag = o.Tag
		}
		if index == nil {
			index = &catalog.Index{Hosts: []catalog.Line{}}
		}
		index.Version = catalog.Version
		how(index)
		text, err := json.Marshal(index)
		if err != nil {
			return nil, err
		}
		ok, err := k.Put(ctx, catalog.Name, text, tag)
		if err != nil || ok || try == attempts {
			return index, err // correct even if it could not be stored
		}
	}
}

// Host implements Catalog.
func (k *CatalogStore) Host(ctx context.Context, host string) (*catalog.Host, error) {
	if host == catalog.Fleet {
		return nil, nil
	}
	days, o, err := read[catalog.Host](ctx, k, host+"/"+catalog.Name)
	if err != nil || days != nil && k.current(o) {
		return days, err
	}
	return k.refresh(ctx, host, days, o)
}

// Changed updates the catalogue after objects were added, changed or deleted.
func (k *CatalogStore) Changed(ctx context.Context, keys []string) error {
	var done []string
	for _, key := range keys {
		if key == catalog.FleetManifest {
			fleet, err := k.Head(ctx, key)
			if err == nil {
				_, err = k.change(ctx, func(index *catalog.Index) { index.HasFleet(fleet != nil) })
			}
			if err != nil {
				return err
			}
		}
		host, name, ok := strings.Cut(key, "/")
		if !ok || name == catalog.Name || host == catalog.Fleet || slices.Contains(done, host) {
			continue
		}
		done = append(done, host)
		days, o, err := read[catalog.Host](ctx, k, host+"/"+catalog.Name)
		if err == nil {
			_, err = k.refresh(ctx, host, days, o)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// refresh lists the files of a host and stores the result.
func (k *CatalogStore) refresh(ctx context.Context, host string, before *catalog.Host, o *Object) (*catalog.Host, error) {
	files, found, err := described(ctx, k, host)
	if err != nil || !found && before == nil {
		return nil, err
	}
	days := catalog.Describe(ctx, host, files, before, partsOf(k, host))
	text, err := json.Marshal(days)
	if err != nil {
		return nil, err
	}
	tag := ""
	if o != nil {
		tag = o.Tag
	}
	// If another instance wrote it meanwhile, its version is just as recent.
	if _, err := k.Put(ctx, host+"/"+catalog.Name, text, tag); err != nil {
		return nil, err
	}
	_, err = k.change(ctx, func(index *catalog.Index) { index.Set(days.Of()) })
	return days, err
}
