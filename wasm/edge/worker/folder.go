package worker

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
)

// A Folder is a bucket on disk, for tests and for running natively.
type Folder string

func (f Folder) open(key string) (*os.File, error) {
	if !fs.ValidPath(key) {
		return nil, fs.ErrNotExist
	}
	return os.Open(filepath.Join(string(f), filepath.FromSlash(key)))
}

func describe(key string, info fs.FileInfo) *Object {
	return &Object{Key: key, Size: info.Size(), Modified: info.ModTime(), Tag: fmt.Sprintf(`"%x-%x"`, info.ModTime().UnixNano(), info.Size())}
}

// Head implements Bucket.
func (f Folder) Head(_ context.Context, key string) (*Object, error) {
	file, err := f.open(key)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil || info.IsDir() {
		return nil, err
	}
	return describe(key, info), nil
}

// Write implements Bucket.
func (f Folder) Write(_ context.Context, w http.ResponseWriter, o *Object, status int, offset, length int64) error {
	file, err := f.open(o.Key)
	if err != nil {
		return err
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil || describe(o.Key, info).Tag != o.Tag {
		return ErrChanged
	}
	w.WriteHeader(status)
	io.Copy(w, io.NewSectionReader(file, offset, length))
	return nil
}

// List implements Bucket.
func (f Folder) List(_ context.Context, prefix string, each func(Object) error) error {
	return fs.WalkDir(os.DirFS(string(f)), ".", func(key string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasPrefix(key, prefix) {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		return each(*describe(key, info))
	})
}

// Folders implements Bucket.
func (f Folder) Folders(_ context.Context, prefix string) ([]string, error) {
	at := strings.TrimSuffix(prefix, "/")
	if at == "" {
		at = "."
	}
	if !fs.ValidPath(at) {
		return nil, nil
	}
	list, err := fs.ReadDir(os.DirFS(string(f)), at)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var names []string
	for _, d := range list {
		if d.IsDir() {
			names = append(names, d.Name())
		}
	}
	return names, err
}
