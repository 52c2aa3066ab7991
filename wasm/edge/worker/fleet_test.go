//go:build !js

package worker

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pcpscope/internal/catalog"
)

// The index of all hosts is served beside them, to those who may read all
// hosts or the index by name; it is not a host itself. Browsers cache files
// named after their content, but not the manifest.
func TestFleetDataset(t *testing.T) {
	dir, m := t.TempDir(), newMemory()
	add := func(key string, data []byte) {
		m.put(key, data)
		os.MkdirAll(filepath.Dir(filepath.Join(dir, key)), 0o755)
		if err := os.WriteFile(filepath.Join(dir, key), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, data := range aDay(t, "20261121") {
		add("web01/"+name, data)
	}
	const list, page = catalog.Fleet + "/manifest.json", catalog.Fleet + "/page/day=2026-11-21/0123456789abcdef.bin"
	add(list, []byte(`{"version":1}`))
	add(page, []byte("0123456789"))
	folder, err := OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	store := &CatalogStore{Bucket: m, Writer: m, Now: func() time.Time { return m.now }}
	if err := store.Changed(t.Context(), []string{list, page, "web01/20261121.00.10.0"}); err != nil {
		t.Fatal(err)
	}
	if _, there := m.objects[catalog.Fleet+"/"+catalog.Name]; there {
		t.Error("the catalogue has taken the dataset for a host")
	}
	fleetOf := func(c Catalog) string {
		index, err := c.Index(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return index.Fleet
	}
	if got := fleetOf(store); got != "pcpscope-fleet/" {
		t.Errorf("after the index came the catalogue leads to %q", got)
	}
	manifest := m.objects[list]
	delete(m.objects, list)
	if err := store.Changed(t.Context(), []string{list}); err != nil || fleetOf(store) != "" {
		t.Errorf("after it went the catalogue leads to %q, %v", fleetOf(store), err)
	}
	m.objects[list] = manifest
	delete(m.objects, catalog.Name) // so that it is made again
	tokens := []Token{{Name: "all", Secret: "all"}, {Name: "web", Secret: "web", Prefixes: []string{"web"}}, {Name: "fleet", Secret: "fleet", Prefixes: []string{catalog.Fleet + "/"}}}
	for name, c := range map[string]struct {
		Catalog
		Bucket
	}{"folder": {NewFolderCatalog(folder), folder}, "bucket": {store, m}} {
		index, err := c.Catalog.Index(t.Context())
		if err != nil || len(index.Hosts) != 1 || index.Hosts[0].Host != "web01" {
			t.Errorf("%s: %+v, %v", name, index, err)
		}
		if got := fleetOf(c.Catalog); got != "pcpscope-fleet/" {
			t.Errorf("%s: the catalogue leads to %q", name, got)
		}
		if h, err := c.Catalog.Host(t.Context(), catalog.Fleet); h != nil || err != nil {
			t.Errorf("%s: %+v, %v", name, h, err)
		}
		handler := NewArchives(Config{Tokens: tokens, Catalog: c.Catalog}, c.Bucket)
		for token, leads := range map[string]bool{"all": true, "web": false, "fleet": true} {
			r := httptest.NewRequest("GET", prefix+catalog.Name, nil)
			r.Header.Set("Authorization", "Bearer "+token)
			w := httptest.NewRecorder()
			handler.ServeHTTP(w, r)
			if got := strings.Contains(w.Body.String(), `"fleet":"pcpscope-fleet/"`); got != leads {
				t.Errorf("%s: %s gets %s", name, token, w.Body)
			}
		}
		for _, want := range []struct {
			key, token string
			status     int
			cache      string
		}{
			{list, "all", http.StatusOK, "private, no-cache"},
			{page, "all", http.StatusPartialContent, "private, max-age=31536000, immutable"},
			{page, "fleet", http.StatusPartialContent, "private, max-age=31536000, immutable"},
			{list, "web", http.StatusForbidden, ""},
			{page, "web", http.StatusForbidden, ""},
			{page, "", http.StatusUnauthorized, ""},
		} {
			r := httptest.NewRequest("GET", prefix+want.key, nil)
			r.Header.Set("Authorization", "Bearer "+want.token)
			if strings.HasSuffix(want.key, ".bin") {
				r.Header.Set("Range", "bytes=2-4")
			}
			w := httptest.NewRecorder()
			handler.ServeHTTP(w, r)
			if w.Code != want.status || want.cache != "" && w.Header().Get("Cache-Control") != want.cache || w.Code == http.StatusPartialContent && w.Body.String() != "234" {
				t.Errorf("%s: %s for %q: %d, %q, %q", name, want.key, want.token, w.Code, w.Header().Get("Cache-Control"), w.Body)
			}
		}
	}
}
