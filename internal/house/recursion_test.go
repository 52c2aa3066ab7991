package house

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pcpscope/internal/build"
	"pcpscope/internal/inputs"
)

// A calls is the call graph of the program's functions: a function named in a
// body counts as called, a method of one of our interfaces as all its
// implementations. A function argument counts where it is written.
type calls map[*types.Func]map[*types.Func]bool

// circles are the functions that call themselves, directly or indirectly,
// grouped by mutual recursion.
func (c calls) circles() (list [][]string) {
	index, low := map[*types.Func]int{}, map[*types.Func]int{}
	var stack []*types.Func
	var visit func(f *types.Func)
	visit = func(f *types.Func) { // Tarjan's algorithm
		index[f] = len(index) + 1
		low[f] = index[f]
		stack = append(stack, f)
		for g := range c[f] {
			if index[g] == 0 {
				visit(g)
				low[f] = min(low[f], low[g])
			} else if slices.Contains(stack, g) {
				low[f] = min(low[f], index[g])
			}
		}
		if low[f] != index[f] {
			return
		}
		at := slices.Index(stack, f)
		if group := stack[at:]; len(group) > 1 || c[f][f] {
			var names []string
			for _, g := range group {
				names = append(names, strings.ReplaceAll(g.FullName(), module+"/", ""))
			}
			slices.Sort(names)
			list = append(list, names)
		}
		stack = stack[:at]
	}
	for _, f := range slices.SortedFunc(maps.Keys(c), func(a, b *types.Func) int { return strings.Compare(a.FullName(), b.FullName()) }) {
		if index[f] == 0 {
			visit(f)
		}
	}
	return list
}

// callsOf type-checks the matching packages as built for the browser, with
// all of our packages that they use.
func callsOf(t *testing.T, patterns ...string) calls {
	t.Helper()
	inputs.Watch(t, root)
	cmd := exec.Command("go", slices.Concat([]string{"list", "-export", "-deps", "-json=ImportPath,Dir,GoFiles,Export"}, build.CompileFlags(), patterns)...)
	cmd.Dir, cmd.Env, cmd.Stderr = root, append(os.Environ(), "GOOS=js", "GOARCH=wasm"), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	exports, checked, fset := map[string]string{}, map[string]*types.Package{}, token.NewFileSet()
	others := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	c := calls{}
	var ours []types.Type // named types, for who implements what
	type use struct{ by, method *types.Func }
	var virtual []use
	for d := json.NewDecoder(bytes.NewReader(out)); d.More(); {
		var p struct {
			goPackage
			Export string
		}
		if err := d.Decode(&p); err != nil {
			t.Fatal(err)
		}
		exports[p.ImportPath] = p.Export
		if p.ImportPath != module && !strings.HasPrefix(p.ImportPath, module+"/") {
			continue
		}
		var files []*ast.File
		for _, name := range p.GoFiles {
			f, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, f)
		}
		info := &types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}}
		config := types.Config{Sizes: types.SizesFor("gc", "wasm"), Importer: importerFunc(func(path string) (*types.Package, error) {
			if own := checked[path]; own != nil {
				return own, nil
			}
			return others.Import(path)
		})}
		pkg, err := config.Check(p.ImportPath, fset, files, info)
		if err != nil {
			t.Fatal(err)
		}
		checked[p.ImportPath] = pkg
		for _, name := range pkg.Scope().Names() {
			if tn, is := pkg.Scope().Lookup(name).(*types.TypeName); is && !tn.IsAlias() && !types.IsInterface(tn.Type()) {
				ours = append(ours, tn.Type())
			}
		}
		for _, f := range files {
			for _, decl := range f.Decls {
				fn, is := decl.(*ast.FuncDecl)
				if !is || fn.Body == nil {
					continue
				}
				by := info.Defs[fn.Name].(*types.Func)
				c[by] = map[*types.Func]bool{}
				ast.Inspect(fn.Body, func(n ast.Node) bool {
					if lit := closure(n, info); lit != nil {
						c[by][by] = true // it calls itself, and is counted with what it is in
					}
					id, is := n.(*ast.Ident)
					if !is {
						return true
					}
					f, is := info.Uses[id].(*types.Func)
					if !is || f.Pkg() == nil || checked[f.Pkg().Path()] == nil {
						return true
					}
					f = f.Origin()
					if recv := f.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
						virtual = append(virtual, use{by, f})
					} else {
						c[by][f] = true
					}
					return true
				})
			}
		}
	}
	for _, v := range virtual {
		face := v.method.Signature().Recv().Type().Underlying().(*types.Interface)
		for _, typ := range ours {
			if pointer := types.NewPointer(typ); types.Implements(pointer, face) {
				if m, _, _ := types.LookupFieldOrMethod(pointer, false, v.method.Pkg(), v.method.Name()); m != nil {
					c[v.by][m.(*types.Func)] = true
				}
			}
		}
	}
	return c
}

type importerFunc func(path string) (*types.Package, error)

func (f importerFunc) Import(path string) (*types.Package, error) { return f(path) }

// closure returns the function assigned to a variable that it refers to
// itself.
func closure(n ast.Node, info *types.Info) (found *ast.FuncLit) {
	assign, is := n.(*ast.AssignStmt)
	if !is || len(assign.Lhs) != 1 || len(assign.Rhs) != 1 {
		return nil
	}
	id, is := assign.Lhs[0].(*ast.Ident)
	lit, isLit := assign.Rhs[0].(*ast.FuncLit)
	if !is || !isLit || info.Uses[id] == nil {
		return nil
	}
	ast.Inspect(lit, func(n ast.Node) bool {
		if used, is := n.(*ast.Ident); is && info.Uses[used] == info.Uses[id] {
			found = lit
		}
		return true
	})
	return found
}

// bounded says for each circle, identified by one of its functions, what limits
// its depth, and the test that reaches the limit with half of V8's stack (see
// TestHalfTheStack) or with untrusted input. No test is named if the limit is
// in the program itself: the nesting of its types, or its templates.
var bounded = []struct{ function, by, folder, test string }{
	{"(*core/archive.scanner).object", "labels that nest deeper than maxLabelDepth are left out", "core/archive", "TestDeepLabels"},
	{"(*core/archive.labelTree).write", "labels that nest deeper than maxLabelDepth are left out", "core/archive", "TestDeepLabels"},
	{"core/mmv.parseLabels", "a label has 244 bytes", "", ""},
	{"(core/mmv.tree).merge", "a label has 244 bytes", "", ""},
	{"(core/mmv.tree).take", "a label has 244 bytes", "", ""},
	{"(*core/container.expander).look", "Options.Depth of containers in containers", "core/container", "TestNested"},

	{"(*core/derived.parser).expr", "the nesting of an expression", "core/derived", "TestGrowingExpressions"},
	{"core/derived.height", "the nesting of an expression", "core/derived", "TestGrowingExpressions"},
	{"core/derived.Walk", "the nesting of an expression", "core/derived", "TestGrowingExpressions"},
	{"core/derived.onlyName", "the nesting of an expression", "core/derived", "TestGrowingExpressions"},
	{"(*core/derived.printer).node", "the nesting of an expression", "core/derived", "TestGrowingExpressions"},
	{"core/pattern.sizeOf", "how regexp/syntax lets patterns nest", "core/pattern", "TestSizeIsLimited"},
	{"(*core/derived.binder).bind", "the nesting of an expression with the definitions in it", "core/derived", "TestDefinitionsOnEachOther"},
	{"(*core/derived.evaluation).table", "the nesting of an expression with the definitions in it", "core/derived", "TestDefinitionsOnEachOther"},
	{"(*core/derived.evaluation).firstOperand", "the nesting of an expression with the definitions in it", "core/derived", "TestDefinitionsOnEachOther"},
	{"(*core/derived.evaluation).groups", "the nesting of an expression with the definitions in it", "core/derived", "TestDefinitionsOnEachOther"},
	{"core/derived.eachAlone", "the nesting of an expression with the definitions in it", "core/derived", "TestDefinitionsOnEachOther"},
	{"(*core/derived.evaluation).blobs", "the nesting of an expression with the definitions in it", "core/derived", "TestDefinitionsOnEachOther"},
	{"(*core/derived.Bound).dependence", "the nesting of an expression with the definitions in it", "core/derived", "TestDefinitionsOnEachOther"},
	{"(*core/derived.shape).lookback", "the nesting of an expression with the definitions in it", "core/derived", "TestDefinitionsOnEachOther"},
	{"(*core/derived.binaryStream).peek", "the nesting of an expression with the definitions in it", "core/derived", "TestDefinitionsOnEachOther"},
	{"(*core/derived.binaryStream).take", "the nesting of an expression with the definitions in it", "core/derived", "TestDefinitionsOnEachOther"},
	{"(*core/pmie.parser).expression", "the nesting of a rule", "core/pmie", "TestGrowingRules"},
	{"(*core/pmie.lexer).expand", "macros within macros", "core/pmie", "TestGrowingRules"},
	{"(*core/pmie.expansion).expand", "variables within variables", "core/pmie", "TestConfMistakes"},
	{"(*core/pmie.binder).node", "the height of a rule", "core/pmie", "TestGrowingRules"},
	{"(*core/pmie.evaluator).eval", "the height of a rule", "core/pmie", "TestGrowingRules"},
	{"core/pmie.metricsOf", "the height of a rule", "core/pmie", "TestGrowingRules"},
	{"(*core/derived.Set).Lookup", "a set is under one other", "", ""},
	{"(*core/derived.Set).Names", "a set is under one other", "", ""},
	{"(*core.source).raw", "an expression's operands are logged", "", ""},
	{"(*core.source).needed", "an expression's operands are logged", "", ""},

	{"(*wasm/rpc.decoder).skip", "deepest", "web/app", "TestDeepInputs"},
	{"(*wasm/rpc.decoder).value", "types of package api", "web/app", "TestDeepInputs"},
	{"(*wasm/rpc.encoder).value", "types of package api", "", ""},
	{"wasm/rpc.tabular", "types of package api", "", ""},
	{"core/api.plain", "types of package api", "", ""},

	{"(*web/render.Renderer).sync", "templates", "", ""},
	{"(*web/render.Renderer).create", "templates", "", ""},
	{"(*web/render.Renderer).forget", "templates", "", ""},
	{"web/render.places", "templates", "", ""},
	{"web/canvas.columnOf", "a column is under one other", "", ""},
	{"(*web/app.Pulse).WorstMinute", "the strip's minutes have none", "", ""},
	{"(*web/app.Intake).take", "each begins in a goroutine of its own", "", ""},
	{"(*web/app.reopening).next", "each begins in a goroutine of its own", "", ""},
	{"(*web/app.App).settle", "each begins after a drawing", "", ""},

	{"core/interp.toUint64", "once", "", ""},
	{"web/format.Span", "once", "web/format", "TestSpan"},
}

// WebAssembly's stack is small, and an overflow ends the engine with all open
// sources. So no function of the program may recurse without a known limit;
// code that follows untrusted nesting is iterative. (TestDeepInputs and
// TestDeepSessions cover recursion in libraries such as encoding/json.)
func TestRecursionIsBounded(t *testing.T) {
	known := map[string]bool{}
	for _, b := range bounded {
		known[b.function] = false
		if b.test != "" && !testIn(t, b.folder, b.test) {
			t.Errorf("%s: there is no test %s in %s", b.function, b.test, b.folder)
		}
	}
	circles := callsOf(t, "./wasm", "./web").circles()
	for _, group := range circles {
		at := slices.IndexFunc(group, func(f string) bool { _, is := known[f]; return is })
		if at < 0 {
			t.Errorf("these call each other, and nothing is known that bounds it: %s", strings.Join(group, ", "))
			continue
		}
		known[group[at]] = true
	}
	for f, is := range known {
		if !is {
			t.Errorf("%s does not call itself", f)
		}
	}
}
