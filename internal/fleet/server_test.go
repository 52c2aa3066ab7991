package fleet

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"pcpscope/internal/catalog"
	"pcpscope/internal/fleetgen"
	"pcpscope/wasm/edge/worker"
)

// The index of a server that lists archives equals that of the folder; only
// what the token permits is read.
func TestIndexOfAServer(t *testing.T) {
	dir := archives(t, 4, 2)
	index(t, dir)
	whole := written(t, dir)
	folder, err := worker.OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	const all, some = "sixteen characters at least", "another sixteen characters"
	s := httptest.NewServer(worker.NewArchives(worker.Config{Catalog: worker.NewFolderCatalog(folder),
		Tokens: []worker.Token{{Name: "all", Secret: all}, {Name: "some", Secret: some, Prefixes: []string{"db"}}}}, folder))
	t.Cleanup(s.Close)
	read := func(token string) (Report, map[string]string, error) {
		t.Helper()
		src, err := Open(s.URL+"/archives/", token)
		if err != nil {
			t.Fatal(err)
		}
		to := t.TempDir()
		r, err := Index(t.Context(), src, Options{Dir: filepath.Join(to, Folder), Archives: s.URL + "/archives/"})
		if left, failed := os.ReadDir(to); err != nil {
			if len(left) > 0 || failed != nil {
				t.Errorf("%v is left, %v", left, failed)
			}
			return r, nil, err
		}
		return r, written(t, to), nil
	}
	r, got, err := read(all)
	if err != nil || r.Read != 8 || len(r.Problems) > 0 {
		t.Fatalf("report = %+v, %v; want 8 days read and no problem", r, err)
	}
	if !strings.Contains(got[ManifestName], `"archives":"`+s.URL+`/archives/"`) {
		t.Errorf("the manifest is %.300s", got[ManifestName])
	}
	delete(got, ManifestName)
	delete(whole, ManifestName)
	same(t, "from a server", got, whole)
	if r, got, err := read(some); err != nil || r.Hosts != 1 || strings.Contains(got[ManifestName], fleetgen.Name(0)) || !strings.Contains(got[ManifestName], fleetgen.Name(1)) {
		t.Errorf("with a token for some: %+v, %v", r, err)
	}
	if _, _, err := read(""); err == nil || !strings.Contains(err.Error(), "401") && !strings.Contains(err.Error(), "token") {
		t.Errorf("without a token: %v", err)
	}
}

// A server may list whatever it likes: files are made only in a folder of their
// own, no longer than was said, and the token goes to no other address.
func TestIndexOfAHostileServer(t *testing.T) {
	var sent atomic.Int64 // bytes
	mux := http.NewServeMux()
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	mux.HandleFunc("/catalog.json", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, `{"version":1,"archives":"https://%s/elsewhere/","hosts":[{"host":"a"}]}`, strings.TrimPrefix(s.URL, "http://"))
	})
	mux.HandleFunc("/a/", func(w http.ResponseWriter, r *http.Request) {
		for range 1 << 12 {
			n, err := w.Write(make([]byte, 1<<20))
			if sent.Add(int64(n)); err != nil {
				return
			}
		}
	})
	src, err := Open(s.URL, "sixteen characters at least")
	if err != nil {
		t.Fatal(err)
	}
	if hosts, err := src.Hosts(t.Context()); err != nil || len(hosts) != 1 || src.(*server).at.Scheme != "http" || src.(*server).at.Path == "/elsewhere/" {
		t.Errorf("%v, %v: archives are at %v", hosts, err, src.(*server).at)
	}
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	t.Setenv("TMP", temp)
	for _, name := range []string{"../../20261102.0", `..\..\20261102.0`, "/20261102.0", "C:20261102.0", "..", ""} {
		paths, done, err := src.Paths(t.Context(), "a", []catalog.File{{Name: name, Size: 10}})
		if err != nil || len(paths) != 0 {
			t.Errorf("%s: %v, %v", name, paths, err)
		}
		if done != nil {
			done()
		}
	}
	if _, _, err := src.Paths(t.Context(), "a", []catalog.File{{Name: "20261102.0", Size: 10}}); err == nil || !strings.Contains(err.Error(), "larger than the list says") {
		t.Errorf("a file without end: %v", err)
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) != 0 {
		t.Errorf("%v is left, %v", left, err)
	}
	if n := sent.Load(); n > 1<<30 {
		t.Errorf("%d bytes were sent", n)
	}
}
