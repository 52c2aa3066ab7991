package fleet

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"pcpscope/core/archive"
	"pcpscope/internal/catalog"
	"pcpscope/wasm/edge/worker"
)

// A Source is where archives are: a folder with a folder for each host, or a
// server that lists them in catalog.json.
type Source interface {
	Hosts(ctx context.Context) ([]catalog.Line, error)
	Host(ctx context.Context, host string) (*catalog.Host, error)
	// Paths makes files of a host available on this machine, until done is
	// called.
	Paths(ctx context.Context, host string, files []catalog.File) (paths []string, done func(), err error)
}

// Open opens a source by name. token is sent to a server.
func Open(name, token string) (Source, error) {
	if strings.HasPrefix(name, "https://") || strings.HasPrefix(name, "http://") {
		u, err := url.Parse(name)
		if err != nil {
			return nil, err
		}
		if path.Base(u.Path) == catalog.Name {
			u.Path = path.Dir(u.Path)
		}
		u.Path = strings.TrimSuffix(u.Path, "/") + "/"
		return &server{at: u, token: token, client: http.Client{Timeout: 10 * time.Minute}}, nil
	}
	f, err := worker.OpenFolder(name)
	if err != nil {
		return nil, err
	}
	return folder{name, worker.NewFolderCatalog(f)}, nil
}

type folder struct {
	dir     string
	catalog *worker.FolderCatalog
}

func (f folder) Hosts(ctx context.Context) ([]catalog.Line, error) {
	index, err := f.catalog.Index(ctx)
	if err != nil {
		return nil, err
	}
	return index.Hosts, nil
}

// leftOut says which folders of hosts are links that are not followed.
func (f folder) leftOut() (sentences []string) {
	list, err := os.ReadDir(f.dir)
	if err != nil {
		return nil
	}
	root, err := os.OpenRoot(f.dir)
	if err != nil {
		return nil
	}
	defer root.Close()
	for _, d := range list {
		if d.Type()&fs.ModeSymlink == 0 {
			continue
		}
		if _, err := root.Stat(d.Name()); err == nil {
			continue
		}
		if info, err := os.Stat(filepath.Join(f.dir, d.Name())); err == nil && info.IsDir() {
			sentences = append(sentences, fmt.Sprintf("%s was left out: symbolic links that are absolute, or lead out of %s, are not followed.", d.Name(), f.dir))
		}
	}
	return sentences
}

func (f folder) Host(ctx context.Context, host string) (*catalog.Host, error) {
	return f.catalog.Host(ctx, host)
}

func (f folder) Paths(_ context.Context, host string, files []catalog.File) ([]string, func(), error) {
	var list []string
	for _, x := range files {
		list = append(list, filepath.Join(f.dir, host, filepath.FromSlash(x.Name)))
	}
	return list, func() {}, nil
}

// server reads a catalogue over HTTP, and fetches the files of a day when they
// are needed.
type server struct {
	at     *url.URL
	token  string
	client http.Client
}

func (s *server) get(ctx context.Context, at *url.URL) (io.ReadCloser, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, at.String(), nil)
	if err != nil {
		return nil, err
	}
	if s.token != "" && at.Host == s.at.Host && at.Scheme == s.at.Scheme {
		r.Header.Set("Authorization", "Bearer "+s.token)
	}
	answer, err := s.client.Do(r)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode != http.StatusOK {
		answer.Body.Close()
		return nil, fmt.Errorf("%s: the server answers %s", at, answer.Status)
	}
	return answer.Body, nil
}

// maxFile is the largest file that a server may list, in bytes: volumes of PCP end
// at 2 GiB.
const maxFile = 16 << 30

// maxList is the largest list in bytes: ten years of a host take a few MB.
const maxList = 256 << 20

func (s *server) list(ctx context.Context, at *url.URL, into any) error {
	body, err := s.get(ctx, at)
	if err != nil {
		return err
	}
	defer body.Close()
	if err := json.NewDecoder(io.LimitReader(body, maxList)).Decode(into); err != nil {
		return fmt.Errorf("%s is no list of archives: %w", at, err)
	}
	return nil
}

func (s *server) Hosts(ctx context.Context) ([]catalog.Line, error) {
	var index catalog.Index
	if err := s.list(ctx, s.at.JoinPath(catalog.Name), &index); err != nil {
		return nil, err
	}
	if index.Needs == "token" {
		return nil, fmt.Errorf("%s wants a token", s.at)
	}
	if index.Archives != "" {
		at, err := s.at.Parse(index.Archives)
		if err != nil {
			return nil, err
		}
		if at.Host == s.at.Host && at.Scheme == s.at.Scheme { // no other server gets the token
			s.at = at
		}
	}
	return index.Hosts, nil
}

func (s *server) Host(ctx context.Context, host string) (*catalog.Host, error) {
	h := new(catalog.Host)
	return h, s.list(ctx, s.at.JoinPath(host, catalog.Name), h)
}

func (s *server) Paths(ctx context.Context, host string, files []catalog.File) (list []string, done func(), err error) {
	dir, err := os.MkdirTemp("", "pcpscope-index-")
	if err != nil {
		return nil, nil, err
	}
	done = func() { os.RemoveAll(dir) }
	for _, x := range files {
		if x.Name != path.Base(x.Name) || !filepath.IsLocal(x.Name) || strings.ContainsAny(x.Name, `\:`) || archive.Base(x.Name) == "" { // the server may only choose a plain file name
			continue
		}
		if err := s.fetch(ctx, host, x, filepath.Join(dir, x.Name)); err != nil {
			done()
			return nil, nil, err
		}
		list = append(list, filepath.Join(dir, x.Name))
	}
	return list, done, nil
}

func (s *server) fetch(ctx context.Context, host string, x catalog.File, to string) error {
	body, err := s.get(ctx, s.at.JoinPath(host, x.Name))
	if err != nil {
		return err
	}
	defer body.Close()
	f, err := os.Create(to)
	if err != nil {
		return err
	}
	limit := 2*max(0, min(x.Size, maxFile)) + maxFile>>8 // it may have grown since it was listed
	n, err := io.Copy(f, io.LimitReader(body, limit+1))
	if n > limit {
		err = fmt.Errorf("%s of %s is larger than the list says", x.Name, host)
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}
