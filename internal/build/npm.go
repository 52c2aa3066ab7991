package build

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// ofModule are the files of the site that the module and the element need.
var ofModule = []string{"pcpscope.js", "pcpscope.d.ts", "pcp-scope.js", "pcp-scope.d.ts", "worker.js", "app.wasm", "tables.wasm", "scope/chart.js", "scope/shared.js", "scope/table.js", "scope/uplot.js", "scope/words.js"}

// exported are the package's entries that are the same for all tools: what is
// imported, its file, its types.
var exported = [][3]string{
	{"./node", "./node.js", "./node.d.ts"},
	{"./inline", "./inline.js", "./inline.d.ts"},
}

// NPM makes the npm package in dir from a built site, and returns the path of
// the archive that npm would make of it.
func NPM(o Options, dir string) (tarball string, err error) {
	b := &builder{Options: o, made: map[string]bool{}}
	site := b.Dist
	b.Dist = dir
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	files := map[string]string{} // name in the package -> path
	for _, name := range ofModule {
		files[name] = filepath.Join(site, filepath.FromSlash(name))
	}
	own, err := filepath.Glob(filepath.Join(b.Root, "internal", "build", "npm", "*"))
	if err != nil {
		return "", err
	}
	for _, file := range own {
		files[filepath.Base(file)] = file
	}
	files["LICENSE"] = filepath.Join(b.Root, "LICENSE")
	files["scope/uPlot.LICENSE"] = filepath.Join(b.Root, "web", "static", "vendor", "uPlot.LICENSE")
	for name, file := range files {
		data, err := os.ReadFile(file)
		if err == nil {
			err = b.write(name, data)
		}
		if err != nil {
			return "", err
		}
	}
	if err := b.inlined(); err != nil {
		return "", err
	}
	if err := b.describe(); err != nil {
		return "", err
	}
	tarball = filepath.Join(dir, fmt.Sprintf("pcpscope-%s.tgz", b.npmVersion()))
	b.made[filepath.Base(tarball)] = true
	if err := b.sweep(); err != nil {
		return "", err
	}
	return tarball, b.pack(tarball)
}

// npmVersion is the version in npm's form; before the first release there are
// no promises between versions.
func (b *builder) npmVersion() string { return "0.0.0-g" + b.version() }

// inlined writes program and worker as strings of a module.
func (b *builder) inlined() error {
	wasm, err := b.read("app.wasm")
	if err != nil {
		return err
	}
	worker, err := b.read("worker.js")
	if err != nil {
		return err
	}
	script, err := json.Marshal(worker)
	if err != nil {
		return err
	}
	return b.write("inlined.js", fmt.Appendf(nil, "// app.wasm, as gzip in base64, and worker.js.\nexport const program = %q;\nexport const worker = %s;\n",
		base64.StdEncoding.EncodeToString(packGzip([]byte(wasm))), script))
}

// describe writes package.json.
func (b *builder) describe() error {
	// Tools use the first condition that they support. Vite and webpack, which
	// include the files beside a module, say whether they build for production;
	// other bundlers do not include them, and most look for "module".
	type entry struct {
		Types       string `json:"types,omitempty"`
		Node        string `json:"node,omitempty"`
		Production  string `json:"production,omitempty"`
		Development string `json:"development,omitempty"`
		Module      string `json:"module,omitempty"`
		Default     string `json:"default,omitempty"`
	}
	bundled := func(types, node, beside, inside string) entry {
		return entry{Types: types, Node: node, Production: beside, Development: beside, Module: inside, Default: beside}
	}
	exports := map[string]any{
		".":              bundled("./pcpscope.d.ts", "./node.js", "./pcpscope.js", "./inline.js"),
		"./element":      bundled("./pcp-scope.d.ts", "", "./pcp-scope.js", "./element-inline.js"),
		"./react":        entry{Types: "./react.d.ts"},
		"./app.wasm":     "./app.wasm",
		"./worker.js":    "./worker.js",
		"./package.json": "./package.json",
	}
	for _, e := range exported {
		exports[e[0]] = entry{Types: e[2], Default: e[1]}
	}
	text, err := json.MarshalIndent(map[string]any{
		"name": "pcpscope", "version": b.npmVersion(), "type": "module", "license": "MIT",
		"description": "Reads Performance Co-Pilot archives and MMV files, in the browser and in Node.",
		"exports":     exports, "types": "./pcpscope.d.ts", "main": "./node.js", "module": "./pcpscope.js",
		"sideEffects": []string{"./pcp-scope.js", "./element-inline.js", "./worker.js", "./thread.js"}, "engines": map[string]string{"node": ">=20"},
	}, "", "  ")
	if err != nil {
		return err
	}
	return b.write("package.json", append(text, '\n'))
}

// pack writes the archive: everything below a folder called package.
func (b *builder) pack(tarball string) error {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	w := tar.NewWriter(z)
	var names []string
	for name := range b.made {
		if !strings.HasSuffix(name, ".tgz") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		data, err := b.read(name)
		if err == nil {
			err = w.WriteHeader(&tar.Header{Name: path.Join("package", name), Mode: 0o644, Size: int64(len(data)), Format: tar.FormatUSTAR})
		}
		if err == nil {
			_, err = w.Write([]byte(data))
		}
		if err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	return os.WriteFile(tarball, out.Bytes(), 0o644)
}
