package reference

import (
	"bufio"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"
)

// UnpackTo writes unpacked files to a folder: PCP's tools read few formats, and
// not all of them everywhere.
func UnpackTo(t testing.TB, dir string, files ...string) {
	t.Helper()
	for _, name := range files {
		if err := unpack(dir, name); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
}

func unpack(dir, name string) error {
	in, err := os.Open(name)
	if err != nil {
		return err
	}
	defer in.Close()
	buffered := bufio.NewReaderSize(in, 64<<10) // the reader of xz asks for single bytes
	var plain io.Reader = buffered
	base := filepath.Base(name)
	switch filepath.Ext(base) {
	case ".gz":
		plain, err = gzip.NewReader(buffered)
	case ".zst":
		plain, err = zstd.NewReader(buffered)
	case ".xz":
		plain, err = xz.NewReader(buffered)
	default:
		base += "." // nothing to cut off
	}
	if err != nil {
		return err
	}
	out, err := os.Create(filepath.Join(dir, base[:strings.LastIndexByte(base, '.')]))
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, plain); err != nil {
		return err
	}
	return out.Close()
}
