//go:build !js

package worker

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path"
	"strings"
	"syscall"
)

// A Folder is a bucket on disk. Links that lead out of it are not followed,
// and special files, such as pipes, are not opened.
type Folder struct{ root *os.Root }

// OpenFolder opens a folder of archives.
func OpenFolder(dir string) (*Folder, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &Folder{root}, nil
}

// open opens a regular file; for anything else it returns fs.ErrNotExist.
func (f *Folder) open(key string) (*os.File, fs.FileInfo, error) {
	if !fs.ValidPath(key) {
		return nil, nil, fs.ErrNotExist
	}
	// Opening a pipe would block until somebody writes to it.
	file, err := f.root.OpenFile(key, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, fs.ErrNotExist // also where a link leads out, or the system refuses
	}
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		file.Close()
		return nil, nil, fs.ErrNotExist
	}
	return file, info, nil
}

func describe(key string, info fs.FileInfo) Object {
	return Object{Key: key, Size: info.Size(), Modified: info.ModTime(), Tag: fmt.Sprintf(`"%x-%x"`, info.ModTime().UnixNano(), info.Size())}
}

// Head implements Bucket.
func (f *Folder) Head(_ context.Context, key string) (*Object, error) {
	file, info, err := f.open(key)
	if err != nil {
		return nil, nil
	}
	file.Close()
	o := describe(key, info)
	return &o, nil
}

// Get implements Bucket.
func (f *Folder) Get(_ context.Context, key string, r *Range) (*Object, Content, error) {
	file, info, err := f.open(key)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	} else if err != nil {
		return nil, nil, err
	}
	o := describe(key, info)
	offset, n, ok := r.Within(o.Size)
	if !ok {
		file.Close()
		return &o, nil, nil
	}
	return &o, section{file, io.NewSectionReader(file, offset, n)}, nil
}

// Read implements Bucket.
func (f *Folder) Read(_ context.Context, key string, r *Range) ([]byte, *Object, error) {
	file, info, err := f.open(key)
	if err != nil {
		return nil, nil, nil
	}
	defer file.Close()
	o := describe(key, info)
	offset, n, ok := r.Within(o.Size)
	if !ok {
		return nil, &o, nil
	}
	data := make([]byte, n)
	read, err := file.ReadAt(data, offset)
	if err == io.EOF { // the file was truncated meanwhile
		err = nil
	}
	return data[:read], &o, err
}

type section struct {
	*os.File
	r io.Reader
}

func (s section) Send(w http.ResponseWriter) error {
	defer s.File.Close()
	_, err := io.Copy(w, s.r)
	return err
}

func (s section) Discard() { s.File.Close() }

// List implements Bucket.
func (f *Folder) List(_ context.Context, prefix string) (folders []string, files []Object, err error) {
	at, begin := path.Split(prefix)
	dir := strings.TrimSuffix(at, "/")
	if dir == "" {
		dir = "."
	}
	if !fs.ValidPath(dir) {
		return nil, nil, nil
	}
	list, err := fs.ReadDir(f.root.FS(), dir)
	if err != nil {
		return nil, nil, nil
	}
	for _, d := range list {
		if !strings.HasPrefix(d.Name(), begin) {
			continue
		}
		info, err := f.root.Stat(at + d.Name()) // follows links that stay inside
		switch {
		case err != nil:
		case info.IsDir():
			folders = append(folders, d.Name())
		case info.Mode().IsRegular():
			files = append(files, describe(at+d.Name(), info))
		}
	}
	return folders, files, nil
}
