package fleet

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// kinds are the folders of the dataset, with the extensions of their files.
var kinds = map[string]string{"hourly": ".parquet", "findings": ".parquet", "coverage": ".parquet", "page": ".bin", "kept": ".bin"}

// A store is the folder of a dataset, locked by one run at a time.
type store struct {
	dir  string
	made bool // the folder was not there before
	stop chan struct{}
}

// named returns the name of a file of a day, which is derived from its bytes,
// so that the contents behind a name never change.
func named(kind, day string, data []byte) File {
	sum := sha256.Sum256(data)
	return File{path.Join(kind, "day="+day, hex.EncodeToString(sum[:8])+kinds[kind]), int64(len(data))}
}

// write writes a file under the name of its bytes: first under another name, so
// that no partial file ever has it.
func (s *store) write(kind, day string, data []byte) (File, error) {
	f := named(kind, day, data)
	return f, s.put(f.Name, data)
}

func (s *store) put(name string, data []byte) error {
	at := filepath.Join(s.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(at), ".new-*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Chmod(0o644)
	}
	if err == nil {
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(f.Name(), at)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// read reads a file and verifies it.
func (s *store) read(f File) ([]byte, error) {
	data, err := os.ReadFile(filepath.Join(s.dir, filepath.FromSlash(f.Name)))
	if err != nil {
		return nil, err
	}
	kind, rest, _ := strings.Cut(f.Name, "/")
	day, _, _ := strings.Cut(strings.TrimPrefix(rest, "day="), "/")
	if named(kind, day, data).Name != f.Name {
		return nil, fmt.Errorf("%s is not what it was when it was written", f.Name)
	}
	return data, nil
}

// there reports whether all files of a day exist, with their sizes.
func (s *store) there(d *Day) bool {
	for _, f := range d.files() {
		info, err := os.Stat(filepath.Join(s.dir, filepath.FromSlash(f.Name)))
		if err != nil || info.Size() != f.Bytes {
			return false
		}
	}
	return true
}

// manifest reads the manifest; nil if there is none, or with the reason if it
// cannot be parsed.
func (s *store) manifest() (*Manifest, error) {
	text, err := os.ReadFile(filepath.Join(s.dir, ManifestName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return ReadManifest(text)
}

// tidy removes files that no manifest names: of days that were written again,
// and of interrupted runs. Nobody else writes while the lock is held.
func (s *store) tidy(m *Manifest) error {
	counts := map[string]bool{}
	for i := range m.Days {
		for _, f := range m.Days[i].files() {
			counts[f.Name] = true
		}
	}
	for kind := range kinds {
		days, err := os.ReadDir(filepath.Join(s.dir, kind))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		for _, day := range days {
			at := filepath.Join(s.dir, kind, day.Name())
			files, err := os.ReadDir(at)
			if err != nil || !strings.HasPrefix(day.Name(), "day=") {
				continue // not one of ours
			}
			left := len(files)
			for _, f := range files {
				ours := strings.HasPrefix(f.Name(), ".new-") || path.Ext(f.Name()) == kinds[kind]
				if ours && !counts[path.Join(kind, day.Name(), f.Name())] && os.Remove(filepath.Join(at, f.Name())) == nil {
					left--
				}
			}
			if left == 0 {
				os.Remove(at)
			}
		}
	}
	return nil
}

const (
	lockName = ".lock"
	lockBeat = 15 * time.Second
	lockDead = 2 * time.Minute // a lock not touched for so long is abandoned
)

// ErrBusy says that another run is writing the dataset.
var ErrBusy = errors.New("another index is being written there")

// lock makes this run the only writer, until unlock.
func (s *store) lock() error {
	_, err := os.Stat(s.dir)
	s.made = errors.Is(err, fs.ErrNotExist)
	if err := os.MkdirAll(s.dir, 0o755); err != nil {
		return err
	}
	name := filepath.Join(s.dir, lockName)
	for range 2 {
		f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
		if err == nil {
			fmt.Fprintln(f, os.Getpid())
			if err := f.Close(); err != nil {
				return err
			}
			s.stop = make(chan struct{})
			go s.heartbeat(name)
			return nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return err
		}
		info, err := os.Stat(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		if age := time.Since(info.ModTime()); age < lockDead {
			return fmt.Errorf("%w: %s was touched %s ago; a lock that nobody has touched for %s does not count", ErrBusy, name, age.Round(time.Second), lockDead)
		}
		// Of several runs that find it abandoned, one moves it away.
		dead := fmt.Sprintf("%s-%d", name, os.Getpid())
		if os.Rename(name, dead) == nil {
			os.Remove(dead)
		}
	}
	return ErrBusy
}

func (s *store) heartbeat(name string) {
	ticker := time.NewTicker(lockBeat)
	defer ticker.Stop()
	for {
		select {
		case <-s.stop:
			return
		case now := <-ticker.C:
			os.Chtimes(name, now, now)
		}
	}
}

// unlock ends what lock began. A run that wrote nothing leaves no folder.
func (s *store) unlock() {
	close(s.stop)
	os.Remove(filepath.Join(s.dir, lockName))
	if s.made {
		os.Remove(s.dir) // unless something is in it
	}
}

// sameMeasures reports whether a manifest was written for the same measures.
func sameMeasures(a, b *Manifest) bool {
	return slices.Equal(a.Measures, b.Measures) && slices.Equal(a.Metrics, b.Metrics)
}
