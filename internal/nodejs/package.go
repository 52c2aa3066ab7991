package nodejs

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Folder makes an empty folder with access to the packages.
func Folder(root, name string) (string, error) {
	if err := Ready(root); err != nil {
		return "", err
	}
	dir := filepath.Join(place(root), name)
	if err := os.RemoveAll(dir); err != nil {
		return "", err
	}
	return dir, os.MkdirAll(dir, 0o755)
}

// Unpack installs a package from its npm archive beside the others.
func Unpack(root, name, tarball string) error {
	dir, err := Folder(root, filepath.Join("node_modules", name))
	if err != nil {
		return err
	}
	f, err := os.Open(tarball)
	if err != nil {
		return err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return err
	}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		inside, ok := strings.CutPrefix(h.Name, "package/")
		if !ok || !filepath.IsLocal(inside) {
			return errors.New(h.Name + " is outside of the package")
		}
		file := filepath.Join(dir, filepath.FromSlash(inside))
		data, err := io.ReadAll(r)
		if err == nil {
			err = os.MkdirAll(filepath.Dir(file), 0o755)
		}
		if err == nil {
			err = os.WriteFile(file, data, 0o644)
		}
		if err != nil {
			return err
		}
	}
}

// NPM prepares to run npm in a folder.
func NPM(dir string, args ...string) (*exec.Cmd, error) {
	npm, err := exec.LookPath("npm")
	if err != nil {
		return nil, errors.New("npm is not installed")
	}
	cmd := exec.Command(npm, args...)
	cmd.Dir = dir
	return cmd, nil
}
