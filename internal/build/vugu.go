package build

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// Generate runs the pinned vugugen over the components in dir.
func Generate(dir string) error {
	cmd := exec.Command("go", "tool", "vugugen", "-skip-go-mod", "-skip-main", ".")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("vugugen: %w\n%s", err, out)
	}
	return nil
}

// evalOnce lets the one call that Vugu makes to window.eval pass without
// evaluating: the script is already there, as a file that the page loaded.
// The content security policy would refuse the call otherwise.
const evalOnce = `
;(function () {
  const real = window.eval;
  window.eval = function (text) {
    if (typeof text === "string" && text.startsWith("(function(){if(window.vuguRender)return")) {
      window.eval = real;
      return undefined;
    }
    return real(text);
  };
})();
`

// vuguHelper writes vugu.js: the browser half of Vugu, which the library
// carries as a Go string constant, and the shim above.
func (b *builder) vuguHelper() error {
	script, err := vuguScript(b.Root)
	if err != nil {
		return fmt.Errorf("vugu.js: %w", err)
	}
	for _, p := range wholeCharacters {
		if strings.Count(script, p.old) != 1 {
			return fmt.Errorf("vugu.js: Vugu's script is not the one that is known: %.40q occurs %d times", p.old, strings.Count(script, p.old))
		}
		script = strings.Replace(script, p.old, p.new, 1)
	}
	return b.write("vugu.js", []byte(script+evalOnce))
}

// wholeCharacters mends Vugu's script where it takes a long piece of HTML that
// comes in parts of 16 KiB: a character of several bytes that is cut in two
// would become three question marks.
var wholeCharacters = []struct{ old, new string }{
	{"readString(){", "readPart(d,more){const e=this.dataView.getUint32(this.offset),t=d.decode(new DataView(this.dataView.buffer,this.dataView.byteOffset+this.offset+4,e),{stream:more});return this.offset+=e+4,t}readString(){"},
	{"case y:{let e=C.readString();", "case y:{let e=C.readPart(x.parts||(x.parts=new TextDecoder),true);"},
	{"case m:{let e=C.readString();", "case m:{let e=x.parts?C.readPart(x.parts,false):C.readString();"},
}

// vuguScript reads the script out of the source of the pinned Vugu.
func vuguScript(root string) (string, error) {
	cmd := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/vugu/vugu")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		return "", err
	}
	dir := strings.TrimSpace(string(out))
	if dir == "" { // a fresh clone: the module is not in the cache yet
		get := exec.Command("go", "mod", "download", "github.com/vugu/vugu")
		get.Dir = root
		if text, err := get.CombinedOutput(); err != nil {
			return "", fmt.Errorf("go mod download: %w\n%s", err, text)
		}
		return vuguScript(root)
	}
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, "domrender", "renderer-js-script.go"), nil, 0)
	if err != nil {
		return "", err
	}
	for _, decl := range file.Decls {
		gen, ok := decl.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range gen.Specs {
			value, ok := spec.(*ast.ValueSpec)
			if !ok || len(value.Names) != 1 || value.Names[0].Name != "jsHelperScript" {
				continue
			}
			if lit, ok := value.Values[0].(*ast.BasicLit); ok {
				return strconv.Unquote(lit.Value)
			}
		}
	}
	return "", fmt.Errorf("there is no jsHelperScript in %s", dir)
}
