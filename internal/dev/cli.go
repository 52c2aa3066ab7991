package main

import (
	"archive/zip"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zstd"

	"pcpscope/internal/build"
)

// platforms are those that the program is built for.
var platforms = []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"}

const maxProgram = 20_000_000 // bytes

// programTags are the build tags: the page is included, and HTTP/2 is not. That is half a
// megabyte, without which the largest binaries pass maxProgram; serve is for one
// browser on this machine, and index fetches files over a few connections.
const programTags = "page,nethttpomithttp2"

// cli builds the command-line program, with the page in it, for all platforms,
// in dist-cli/.
func cli(root string, args []string) error {
	if err := noArguments("cli", args); err != nil {
		return err
	}
	dist := filepath.Join(root, "dist")
	if err := build.Site(build.Options{Root: root, Dist: dist, Log: say}); err != nil {
		return err
	}
	page := filepath.Join(root, "internal", "cli", "page.zip")
	if err := pack(dist, page); err != nil {
		return err
	}
	defer os.Remove(page)
	version := "devel"
	if out, err := exec.Command("git", "-C", root, "describe", "--always", "--dirty").Output(); err == nil {
		version = strings.TrimSpace(string(out))
	}
	for _, p := range platforms {
		goos, goarch, _ := strings.Cut(p, "/")
		name := "pcpscope-" + goos + "-" + goarch
		if goos == "windows" {
			name += ".exe"
		}
		to := filepath.Join(root, "dist-cli", name)
		cmd := goCmd(root, "build", "-trimpath", "-tags", programTags, "-ldflags", "-s -w -X pcpscope/internal/cli.Version="+version, "-o", to, "./cmd/pcpscope")
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+goos, "GOARCH="+goarch)
		if err := cmd.Run(); err != nil {
			return err
		}
		info, err := os.Stat(to)
		if err != nil {
			return err
		}
		say("%9d  %s", info.Size(), filepath.Join("dist-cli", name))
		if info.Size() > maxProgram {
			return fmt.Errorf("%s is larger than %d bytes", name, maxProgram)
		}
	}
	return nil
}

// pack makes a zip of the site without the precompressed copies. It uses zstd,
// which the program contains anyway: with deflate the largest program exceeds
// maxProgram.
func pack(dist, to string) (err error) {
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	z := zip.NewWriter(out)
	z.RegisterCompressor(zstd.ZipMethodWinZip, zstd.ZipCompressor(zstd.WithEncoderLevel(zstd.SpeedBestCompression)))
	err = filepath.WalkDir(dist, func(name string, d fs.DirEntry, err error) error {
		if ext := filepath.Ext(name); err != nil || d.IsDir() || ext == ".br" || ext == ".gz" || name == filepath.Join(dist, "pcpscope.html") {
			return err
		}
		within, err := filepath.Rel(dist, name)
		if err != nil {
			return err
		}
		w, err := z.CreateHeader(&zip.FileHeader{Name: filepath.ToSlash(within), Method: zstd.ZipMethodWinZip})
		if err != nil {
			return err
		}
		data, err := os.ReadFile(name)
		if err == nil {
			_, err = w.Write(data)
		}
		return err
	})
	if err == nil {
		err = z.Close()
	}
	if closed := out.Close(); err == nil {
		err = closed
	}
	return err
}
