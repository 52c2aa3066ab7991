package core

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
)

// OpenPath opens file system paths: files, folders with everything below them,
// and archives by base name (".../20261121.00.10" for its .meta, .index and
// volumes). Files stay open until closer is closed, which must come after
// closing the sources. Unusable files are listed in the answer as rejected; an
// error concerns a path.
func (s *Session) OpenPath(ctx context.Context, progress func(api.Progress), paths ...string) (opened api.Opened, closer io.Closer, err error) {
	var names []string
	for _, path := range paths {
		list, err := FilesAt(path)
		if err != nil {
			return api.Opened{}, nil, err
		}
		names = append(names, list...)
	}
	var held closers
	var files []File
	for _, name := range names {
		f, err := os.Open(name)
		if err != nil {
			held.Close()
			return api.Opened{}, nil, pcp.Faultf(pcp.BadArgument, "%v.", err).In(name)
		}
		held = append(held, f)
		info, err := f.Stat()
		if err != nil {
			held.Close()
			return api.Opened{}, nil, pcp.Faultf(pcp.BadArgument, "%v.", err).In(name)
		}
		files = append(files, File{Name: filepath.ToSlash(name), Size: info.Size(), At: f, Modified: pcp.Time(info.ModTime().UnixNano())})
	}
	if opened, err = s.Open(ctx, files, progress); err != nil {
		held.Close()
		return opened, nil, err
	}
	return opened, held, nil
}

type closers []io.Closer

func (c closers) Close() (err error) {
	for _, one := range c {
		err = errors.Join(err, one.Close())
	}
	return err
}

// FilesAt lists the regular files that a path denotes.
func FilesAt(path string) ([]string, error) {
	info, err := os.Stat(path)
	switch {
	case err == nil && info.Mode().IsRegular():
		return []string{path}, nil
	case err == nil && info.IsDir():
		var list []string
		err := filepath.WalkDir(path, func(name string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() {
				list = append(list, name)
			}
			return err
		})
		if err != nil {
			return nil, pcp.Faultf(pcp.BadArgument, "%v.", err).In(path)
		}
		return list, nil
	case err == nil:
		return nil, pcp.Faultf(pcp.BadArgument, "%s is neither a file nor a folder.", path).In(path)
	}
	base := filepath.Base(path)
	around, failed := os.ReadDir(filepath.Dir(path))
	var list []string
	for _, d := range around {
		if rest, ok := strings.CutPrefix(d.Name(), base+"."); ok && d.Type().IsRegular() && isComponent(rest) {
			list = append(list, filepath.Join(filepath.Dir(path), d.Name()))
		}
	}
	if failed != nil || len(list) == 0 {
		return nil, pcp.Faultf(pcp.BadArgument, "There is no file, folder or archive named %s.", path).In(path)
	}
	sort.Strings(list)
	return list, nil
}

// isComponent reports whether a suffix is that of a file of an archive, maybe
// compressed: "meta", "index", "0", "1.xz".
func isComponent(suffix string) bool {
	first, _, _ := strings.Cut(suffix, ".")
	return first == "meta" || first == "index" || first != "" && strings.Trim(first, "0123456789") == ""
}
