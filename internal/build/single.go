package build

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"pcpscope/internal/site"
)

// single writes the whole page into one file. Its policy is in the file itself,
// and lists its scripts by their hashes.
func (b *builder) single() error {
	page, err := b.read("index.html")
	if err != nil {
		return err
	}
	modules, err := b.modules()
	if err != nil {
		return err
	}
	wasm, err := b.read("app.wasm")
	if err != nil {
		return err
	}
	worker, err := b.read("worker.js")
	if err != nil {
		return err
	}
	s := &inliner{builder: b}
	page = tag.ReplaceAllStringFunc(page, s.replace)
	if s.err != nil {
		return fmt.Errorf("%s: %w", site.Single, s.err)
	}
	end := strings.LastIndex(page, "</body>")
	if end < 0 {
		return errors.New("index.html has no end of its body")
	}
	page = page[:end] +
		`<script type="text/plain" id="pcpscope-program">` + base64.StdEncoding.EncodeToString(packGzip([]byte(wasm))) + "</script>\n" +
		`<script type="text/plain" id="pcpscope-worker">` + safe(worker) + "</script>\n" +
		`<script type="module">` + s.script(modules) + "</script>\n" + page[end:]
	policy := "default-src 'none'; script-src " + strings.Join(s.scripts, " ") + " 'wasm-unsafe-eval'; worker-src blob:; style-src " +
		strings.Join(s.styles, " ") + "; img-src data: blob:; base-uri 'none'; form-action 'none'"
	meta := `<meta http-equiv="Content-Security-Policy" content="` + policy + `">`
	const charset = `<meta charset="utf-8">`
	if !strings.Contains(page, charset) {
		return errors.New("index.html does not begin with its encoding")
	}
	return b.write(site.Single, []byte(strings.Replace(page, charset, charset+"\n"+meta, 1)))
}

func (b *builder) read(name string) (string, error) {
	text, err := os.ReadFile(filepath.Join(b.Dist, filepath.FromSlash(name)))
	return string(text), err
}

// modules joins the page's modules into one.
func (b *builder) modules() (string, error) {
	inside, err := filepath.Abs(filepath.Join(b.Root, "internal", "build", "inside.js"))
	if err != nil {
		return "", err
	}
	dist, err := filepath.Abs(b.Dist)
	if err != nil {
		return "", err
	}
	entry := fmt.Sprintf("import %q; import \"./main.js\";", filepath.ToSlash(inside))
	result := api.Build(api.BuildOptions{
		Stdin:  &api.StdinOptions{Contents: entry, ResolveDir: dist},
		Bundle: true, Format: api.FormatESModule, Target: api.ES2022, Charset: api.CharsetUTF8,
		MinifyWhitespace: true, MinifySyntax: true, LegalComments: api.LegalCommentsNone,
	})
	if len(result.Errors) > 0 {
		return "", fmt.Errorf("%s: %s", site.Single, result.Errors[0].Text)
	}
	return string(result.OutputFiles[0].Contents), nil
}

// workerScript inserts Go's support code into the workers' script instead of
// the line that would load it: there are several workers, and each would
// request it.
func (b *builder) workerScript(script []byte) ([]byte, error) {
	support, err := b.read("wasm_exec.js")
	if err != nil {
		return nil, err
	}
	const imports = `importScripts("wasm_exec.js");`
	if !bytes.Contains(script, []byte(imports)) {
		return nil, errors.New("worker.js does not load wasm_exec.js")
	}
	return bytes.Replace(script, []byte(imports), []byte(support), 1), nil
}

// tag matches what index.html loads, and what exists only on a served page.
var tag = regexp.MustCompile(`<script[^>]* src="([^"]+)"[^>]*></script>|<link rel="(stylesheet|icon|manifest|preload|modulepreload)" href="([^"]+)"[^>]*>|<button[^>]* data-boot="sample".*?</button>|<a [^>]*href="docs/[^>]*>.*?</a>`)

// An inliner replaces tags that load files by the files.
type inliner struct {
	*builder
	scripts, styles []string // hashes, in the form used in a policy
	err             error
}

func (s *inliner) replace(found string) string {
	m := tag.FindStringSubmatch(found)
	load := func(name string) string {
		text, err := s.read(name)
		if err != nil {
			s.err = err
		}
		return text
	}
	switch {
	case strings.HasPrefix(found, "<button"), strings.HasPrefix(found, "<a "): // neither the sample nor the guides are in the file
		return ""
	case strings.Contains(found, `type="module"`): // bundled
		return ""
	case m[1] != "":
		return "<script>" + s.script(load(m[1])) + "</script>"
	case m[2] == "stylesheet":
		text := load(m[3])
		s.styles = append(s.styles, hash(text))
		return "<style>" + text + "</style>"
	case m[2] == "icon": // in the page: otherwise the browser requests it again with each change of the address
		return found
	}
	return "" // preloads are already there; a file cannot be installed
}

// script records the hash of a script and makes it safe inside a page.
func (s *inliner) script(text string) string {
	text = safe(text)
	s.scripts = append(s.scripts, hash(text))
	return text
}

// safe keeps a script from ending its element. In JavaScript both mean the
// same.
func safe(text string) string {
	return strings.NewReplacer("</script", `<\/script`, "<!--", `<\!--`).Replace(text)
}

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
