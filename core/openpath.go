package core

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"pcpscope/core/api"
	"pcpscope/core/archive"
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

// FilesAt lists the regular files that a path denotes: itself, all below a folder, or those of the
// archive of this base name. Symbolic links to files count as files; one to a folder counts as the
// path itself, but not below it, where it may lead back.
func FilesAt(path string) ([]string, error) {
	info, err := os.Stat(path)
	switch {
	case path == "":
		return nil, pcp.Faultf(pcp.BadArgument, "The name of a file is empty.")
	case err == nil && info.Mode().IsRegular():
		return []string{filepath.Clean(path)}, nil // so that files of an archive are in one folder
	case err == nil && info.IsDir():
		list, err := filesBelow(path)
		if err != nil {
			return nil, pcp.Faultf(pcp.BadArgument, "%v.", err).In(path)
		}
		return list, nil
	case err == nil:
		return nil, pcp.Faultf(pcp.BadArgument, "%s is neither a file nor a folder.", path).In(path)
	}
	list, err := filesOf(path)
	if err != nil || len(list) == 0 {
		return nil, pcp.Faultf(pcp.BadArgument, "There is no file, folder or archive named %s.", path).In(path)
	}
	return list, nil
}

// filesBelow lists the files below a folder. A link to one of them is that file a second time.
func filesBelow(path string) (list []string, err error) {
	real, err := resolved(path)
	if err != nil {
		return nil, err
	}
	own := real + string(filepath.Separator)
	err = filepath.WalkDir(path+string(filepath.Separator), func(name string, d fs.DirEntry, err error) error { // WalkDir follows a link that ends so
		if err != nil || !isFile(name, d) {
			return err
		}
		if d.Type()&fs.ModeSymlink != 0 {
			if target, err := resolved(name); err != nil || strings.HasPrefix(target, own) {
				return nil
			}
		}
		list = append(list, name)
		return nil
	})
	return list, err
}

// resolved is an absolute path without links.
func resolved(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(path)
}

// isFile reports whether a folder's entry is a regular file or leads to one.
func isFile(name string, d fs.DirEntry) bool {
	if d.Type()&fs.ModeSymlink == 0 {
		return d.Type().IsRegular()
	}
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

// filesOf lists the files of an archive, in order of their names. If there is none of this name, those
// of the archives whose names go on with a number count, as those of a day: 20261121.09.30 for 20261121.
func filesOf(path string) ([]string, error) {
	dir, base := filepath.Dir(path), filepath.Base(path)
	around, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var own, longer []string
	for _, d := range around {
		rest, ok := strings.CutPrefix(d.Name(), base+".")
		name := filepath.Join(dir, d.Name())
		switch {
		case !ok || !isComponent(rest) || !isFile(name, d):
		case archive.Base(d.Name()) == base:
			own = append(own, name)
		default:
			longer = append(longer, name)
		}
	}
	if own == nil {
		own = longer
	}
	return own, nil
}

// isComponent reports whether a suffix is that of a file of an archive, maybe
// compressed: "meta", "index", "0", "1.xz".
func isComponent(suffix string) bool {
	first, _, _ := strings.Cut(suffix, ".")
	return first == "meta" || first == "index" || first != "" && strings.Trim(first, "0123456789") == ""
}
