package container

import (
	"bytes"
	"compress/gzip"
	"io"
	"math/rand/v2"
	"path"
	"testing"

	"pcpscope/core/pcp"
)

// A large deflated file of a zip is offloaded as gzip: what reads it here is the standard
// library's reader, which checks the checksum and the size as well.
func TestZipOffloaded(t *testing.T) {
	volume, err := unpack(Zstd, bytes.NewReader(liveFiles(t)["web01.0.zst"]))
	if err != nil {
		t.Fatal(err)
	}
	noise := make([]byte, 300_000)
	rand.NewChaCha8([32]byte{1}).Read(noise)
	volume = append(volume, noise...)
	given := []string{"README", "too small to be worth it", "web01.meta", string(liveFiles(t)["web01.meta"]), "web01.0", string(volume)}
	for name, zip := range map[string][]byte{"a.zip": zipOf(t, given...), "sized.zip": sizedZipOf(t, given...)} {
		offloaded, ended := 0, 0
		opt := Options{Unpacker: Unpacker{Offload: func(c Compression, r io.ReadSeeker) (io.ReadCloser, error) {
			if c != Gzip {
				t.Errorf("%s: %v is offloaded", name, c)
			}
			z, err := gzip.NewReader(r)
			offloaded++
			return watchedEnd{z, &ended}, err
		}}}
		x := expand(t, opt, memFile(name, zip))
		if len(x.Leaves) != 2 || len(x.Problems) != 0 || offloaded != 2 || ended != 2 {
			t.Fatalf("%s: %d leaves, problems %v, %d files offloaded, %d of them to their end", name, len(x.Leaves), x.Problems, offloaded, ended)
		}
		for _, l := range x.Leaves {
			if got := content(t, l.File); path.Base(l.Name) == "web01.0" && !bytes.Equal(got, volume) {
				t.Errorf("%s: %d bytes of %d, or others", name, len(got), len(volume))
			}
		}

		bad := bytes.Clone(zip)
		bad[bytes.Index(bad, noise[150_000:150_100])] ^= 1 // noise is stored as it is
		x = expand(t, opt, memFile(name, bad))
		if len(x.Problems) != 1 || x.Problems[0].Kind != pcp.Corrupt || x.Problems[0].Message != "This file is damaged: its checksum is wrong." {
			t.Errorf("%s, damaged: problems %v", name, x.Problems)
		}
	}
}

// watchedEnd counts the ends of files that are reached.
type watchedEnd struct {
	io.ReadCloser
	ended *int
}

func (w watchedEnd) Read(p []byte) (int, error) {
	n, err := w.ReadCloser.Read(p)
	if err == io.EOF {
		*w.ended++
	}
	return n, err
}
