package build

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// The page's own scripts and styles are many small files. A browser requests
// six at a time from a server, and next to a large program each waits for its
// turn, so they are bundled into three files. The fleet page has two of its
// own.
var bundles = []struct {
	name     string
	format   api.Format
	external []string // modules that others load too, so that only one copy runs
}{
	{"early.js", api.FormatIIFE, nil},
	{"main.js", api.FormatESModule, []string{"./pcpscope.js", "./start.js", "./embed/*"}},
	{"fleet.js", api.FormatESModule, []string{"./embed/*"}},
	{"pcpscope.js", api.FormatESModule, nil},
	{"page.css", api.FormatDefault, nil},
	{"fleet.css", api.FormatDefault, nil},
}

// minified is a script without comments and indentation. Names that others may use stay.
func minified(name string, script []byte) ([]byte, error) {
	result := api.Transform(string(script), api.TransformOptions{Loader: api.LoaderJS, Target: api.ESNext, Charset: api.CharsetUTF8, MinifyWhitespace: true, MinifyIdentifiers: true, LegalComments: api.LegalCommentsEndOfFile})
	if len(result.Errors) > 0 {
		return nil, fmt.Errorf("%s: %s", name, result.Errors[0].Text)
	}
	return result.Code, nil
}

// bundle makes the bundles and records which files of web/static are in one and
// need not be served.
func (b *builder) bundle() error {
	from, err := filepath.Abs(filepath.Join(b.Root, "web", "static"))
	if err != nil {
		return err
	}
	for _, one := range bundles {
		result := api.Build(api.BuildOptions{
			EntryPoints: []string{one.name}, AbsWorkingDir: from, Outfile: one.name, Metafile: true,
			Bundle: true, Format: one.format, External: one.external, Target: api.ESNext, Charset: api.CharsetUTF8,
			MinifyWhitespace: true, MinifySyntax: true, MinifyIdentifiers: true,
			LegalComments: api.LegalCommentsNone,
		})
		if len(result.Errors) > 0 {
			return fmt.Errorf("%s: %s", one.name, result.Errors[0].Text)
		}
		script := result.OutputFiles[0].Contents
		if one.name == "pcpscope.js" {
			if script, err = leftAlone(script); err != nil {
				return fmt.Errorf("%s: %w", one.name, err)
			}
		}
		if err := b.write(one.name, script); err != nil {
			return err
		}
		var list struct{ Inputs map[string]any }
		if err := json.Unmarshal([]byte(result.Metafile), &list); err != nil {
			return fmt.Errorf("%s: %w", one.name, err)
		}
		for name := range list.Inputs {
			// Vendored files are kept: the element loads them separately. So is
			// what the script of the frame imports, too.
			if !strings.HasPrefix(name, "vendor/") && name != "cells.js" {
				b.inside[name] = true
			}
		}
	}
	return nil
}

// leftAlone puts back the comments, lost with all others, that keep the bundlers of
// embedders from following an import.
func leftAlone(script []byte) ([]byte, error) {
	const start = "import("
	if n := bytes.Count(script, []byte(start)); n != 1 {
		return nil, fmt.Errorf("%d dynamic imports, not 1", n)
	}
	return bytes.Replace(script, []byte(start), []byte(start+"/* @vite-ignore */ /* webpackIgnore: true */"), 1), nil
}
