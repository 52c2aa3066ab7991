package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pcpscope/internal/catalog"
)

// The command's output, as sent by a static file server, leads to existing
// files.
func TestWriteCatalog(t *testing.T) {
	dir := t.TempDir()
	for _, host := range []string{"web01", "db-7"} {
		os.Mkdir(filepath.Join(dir, host), 0o755)
		for _, name := range []string{"web01.meta", "web01.index", "web01.0.zst"} {
			data, err := os.ReadFile(filepath.Join("../../testdata/live", name))
			if err == nil {
				err = os.WriteFile(filepath.Join(dir, host, strings.Replace(name, "web01", "20261121", 1)), data, 0o644)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	read := func(name string, into any) {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err == nil {
			err = json.Unmarshal(text, into)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for range 2 { // the second time over existing files
		if err := writeCatalog("", []string{dir, "--at", "/logs/"}); err != nil {
			t.Fatal(err)
		}
		var index catalog.Index
		read("catalog.json", &index)
		if index.Archives != "/logs/" || len(index.Hosts) != 2 || index.Hosts[1] != (catalog.Line{Host: "web01", Days: 1, First: "2026-11-21", Last: "2026-11-21"}) {
			t.Errorf("the index is %+v", index)
		}
		var host catalog.Host
		read("web01/catalog.json", &host)
		if len(host.Days) != 1 || len(host.Days[0].Files) != 3 || !strings.HasPrefix(host.Days[0].Start, "2026-11-21T03:49:02.3150") { // as pmdumplog -L prints it
			t.Fatalf("the host is %+v", host)
		}
		for _, f := range host.Days[0].Files {
			if info, err := os.Stat(filepath.Join(dir, "web01", f.Name)); err != nil || info.Size() != f.Size || f.V != "" {
				t.Errorf("%+v: %v", f, err)
			}
		}
	}
	if err := writeCatalog("", nil); err == nil {
		t.Error("without a folder there is no complaint")
	}
}
