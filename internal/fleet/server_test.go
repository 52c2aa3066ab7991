package fleet

import (
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

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
		return r, written(t, to), err
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
