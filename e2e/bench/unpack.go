package main

import (
	"io"
	"os"
	"path/filepath"

	"pcpscope/core/container"
)

// unpack writes the members of an archive, decompressed, into dir.
func unpack(files []string, dir string) ([]string, error) {
	var raw []string
	for _, name := range files {
		plain, _ := container.TrimSuffix(filepath.Base(name))
		out := filepath.Join(dir, plain)
		if err := unpackFile(name, out); err != nil {
			return nil, err
		}
		raw = append(raw, out)
	}
	return raw, nil
}

func unpackFile(name, to string) error {
	in, err := os.Open(name)
	if err != nil {
		return err
	}
	defer in.Close()
	head := make([]byte, 512)
	n, err := in.ReadAt(head, 0)
	if err != nil && err != io.EOF {
		return err
	}
	r, err := container.Sniff(head[:n]).NewReader(in)
	if err != nil {
		return err
	}
	defer r.Close()
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, r); err != nil {
		out.Close()
		return err
	}
	return out.Close()
}
