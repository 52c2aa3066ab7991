package worker

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"pcpscope/internal/catalog"
)

// A Writer writes what the Worker keeps in its bucket.
type Writer interface {
	// Put writes an object in place of the one with this tag; "" stands for
	// none. Not ok where another is there by now.
	Put(ctx context.Context, key string, data []byte, tag string) (ok bool, err error)
}

// A Keeper keeps the catalogue in the bucket. It is brought up to date when the
// bucket tells that something came, by Changed; where nobody tells, when
// somebody asks for a part of it that is older than an hour.
type Keeper struct {
	Bucket
	Writer
	Now func() time.Time // time.Now where nil
}

const (
	keptFor  = time.Hour
	attempts = 5 // to write the index beside others who do
)

// fresh reports whether what was kept may still be told as it is.
func (k *Keeper) fresh(o *Object) bool {
	now := time.Now
	if k.Now != nil {
		now = k.Now
	}
	return o != nil && now().Sub(o.Modified) < keptFor
}

// read reads a part of the catalogue. What cannot be understood counts as
// absent: it will be made again.
func read[T any](ctx context.Context, k *Keeper, key string) (*T, *Object, error) {
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
func (k *Keeper) Index(ctx context.Context) (*catalog.Index, error) {
	index, o, err := read[catalog.Index](ctx, k, catalog.Name)
	if err != nil || index != nil && k.fresh(o) {
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
		for _, host := range hosts { // what these have is told when somebody asks
			if !slices.ContainsFunc(index.Hosts, func(l catalog.Line) bool { return l.Host == host }) {
				index.Hosts = append(index.Hosts, catalog.Line{Host: host})
			}
		}
		slices.SortFunc(index.Hosts, func(a, b catalog.Line) int { return strings.Compare(a.Host, b.Host) })
	})
}

// change changes the index, again where somebody else did so meanwhile.
func (k *Keeper) change(ctx context.Context, how func(*catalog.Index)) (*catalog.Index, error) {
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
			return index, err // unwritten it is right all the same
		}
	}
}

// Host implements Catalog.
func (k *Keeper) Host(ctx context.Context, host string) (*catalog.Host, error) {
	if host == catalog.Fleet {
		return nil, nil
	}
	days, o, err := read[catalog.Host](ctx, k, host+"/"+catalog.Name)
	if err != nil || days != nil && k.fresh(o) {
		return days, err
	}
	return k.refresh(ctx, host, days, o)
}

// Changed brings the catalogue up to date about objects that came, changed or
// went.
func (k *Keeper) Changed(ctx context.Context, keys []string) error {
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

// refresh looks what there is of a host, and keeps it.
func (k *Keeper) refresh(ctx context.Context, host string, before *catalog.Host, o *Object) (*catalog.Host, error) {
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
	// Where another wrote it meanwhile, that one has looked as lately.
	if _, err := k.Put(ctx, host+"/"+catalog.Name, text, tag); err != nil {
		return nil, err
	}
	_, err = k.change(ctx, func(index *catalog.Index) { index.Set(days.Of()) })
	return days, err
}
