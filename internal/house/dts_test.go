package house

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
	"pcpscope/wasm/rpc"
	"pcpscope/web/canvas"
)

// pcpscope.d.ts matches package api: each interface has the fields of its
// struct, with the types that wasm/rpc gives them, optional if the struct
// omits them when empty.
func TestDeclarationsAgreeWithGo(t *testing.T) {
	types := map[string]reflect.Type{}
	for _, m := range rpc.Methods() {
		if !m.PageOnly() {
			reach(types, m.Request, declaredPaths)
			reach(types, m.Reply, declaredPaths)
		}
	}
	for name := range types {
		if strings.HasSuffix(name, "Request") || inlined[name] || undeclared[name] {
			delete(types, name)
		}
	}
	declared := declarations(t, "web/static/pcpscope.d.ts")
	compare(t, declared, types)
	for name := range declared {
		if _, ok := types[name]; !ok && !onlyScript[name] {
			t.Errorf("%s is declared, but no call takes or returns it", name)
		}
	}
}

// onlyScript are interfaces of pcpscope.js itself; undeclared are structs that
// it takes apart or makes, as it does those named after a request; inlined are
// small ones that are declared where they are used.
var (
	onlyScript = set("Pcpscope", "PcpscopeError", "StartOptions", "EngineWorker", "FromServer", "Progress")
	undeclared = set("None", "File", "Header", "When", "Closed")
	inlined    = set("Gap", "InstanceRef", "Rejected", "Bin", "Span", "Skipped", "CodeAt", "EventParam")
)

func set(names ...string) map[string]bool {
	all := map[string]bool{}
	for _, name := range names {
		all[name] = true
	}
	return all
}

// declaredPaths are the packages whose structs cross to JavaScript.
var declaredPaths = []string{reflect.TypeFor[api.Source]().PkgPath(), reflect.TypeFor[pcp.Fault]().PkgPath(), reflect.TypeFor[rpc.Saved]().PkgPath()}

// canvas.d.ts declares what package canvas sends to and receives from the
// page's scripts: exactly the types that calls and events use.
func TestCanvasDeclarationsAgreeWithGo(t *testing.T) {
	const file = "web/canvas/canvas.d.ts"
	declared, types := declarations(t, file), map[string]reflect.Type{}
	calls, events := declared["Calls"], declared["Events"]
	for _, m := range canvas.Calls() {
		reach(types, m.Request, canvasPaths)
		reach(types, m.Reply, canvasPaths)
		want := "(request: " + m.Request.Name() + "): " + m.Reply.Name()
		if m.Reply == reflect.TypeFor[canvas.None]() {
			want = "(request: " + m.Request.Name() + "): void"
		}
		if got := calls[m.Name]; got != want && got != strings.Replace(want, "): ", "): Promise<", 1)+">" {
			t.Errorf("the call %s is declared as %q, Go makes %q", m.Name, got, want)
		}
		delete(calls, m.Name)
	}
	for kind, e := range canvas.Events {
		reach(types, e, canvasPaths)
		if events[kind] != e.Name() {
			t.Errorf("the event %s is declared as %q, Go takes %q", kind, events[kind], e.Name())
		}
		delete(events, kind)
	}
	for name := range calls {
		t.Errorf("the call %s is declared, but Go has none", name)
	}
	for name := range events {
		t.Errorf("the event %s is declared, but Go takes none", name)
	}
	reach(types, reflect.TypeFor[canvas.DOMEvent](), canvasPaths)
	compare(t, declared, types)
	for name := range declared {
		if _, ok := types[name]; !ok && name != "Calls" && name != "Events" {
			t.Errorf("%s is declared, but nothing sends or takes it", name)
		}
	}
}

var canvasPaths = []string{reflect.TypeFor[canvas.None]().PkgPath()}

// reach adds a struct of some packages and those in its fields.
func reach(types map[string]reflect.Type, t reflect.Type, paths []string) {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || !slices.Contains(paths, t.PkgPath()) || types[t.Name()] != nil {
		return
	}
	types[t.Name()] = t
	for i := range t.NumField() {
		reach(types, t.Field(i).Type, paths)
	}
}

// lengths are the lengths of time in requests; other times there are points in time.
var lengths = map[string]bool{"interval": true, "for": true, "every": true}

// compare compares interfaces with structs.
func compare(t *testing.T, declared map[string]map[string]string, types map[string]reflect.Type) {
	t.Helper()
	for name, goType := range types {
		body, ok := declared[name]
		if !ok {
			t.Errorf("there is no interface %s", name)
			continue
		}
		want := members(goType)
		for field, is := range body {
			expected, ok := want[field]
			if !ok {
				t.Errorf("%s.%s is declared, but Go has no such field", name, field)
				continue
			}
			if strings.Contains(is, "Nanos | string") && !lengths[field] && !strings.HasSuffix(is, " | Date") {
				t.Errorf("%s.%s is declared as %q without Date, which points in time take", name, field, is)
			}
			if loosen(is) != expected {
				t.Errorf("%s.%s is declared as %q, Go makes %q", name, field, is, expected)
			}
			delete(want, field)
		}
		for field := range want {
			t.Errorf("%s.%s is not declared", name, field)
		}
	}
}

// Each call of the protocol is a method of Pcpscope with the reply's type, and
// pcpscope.js has it. That its arguments are those declared, the TypeScript
// compiler checks where it is installed.
func TestMethodsAreDeclared(t *testing.T) {
	text, module := read(t, "web/static/pcpscope.d.ts"), read(t, "web/static/pcpscope.js")
	_, body, _ := strings.Cut(text, "export interface Pcpscope {")
	body, _, _ = strings.Cut(body, "\n}")
	for _, m := range rpc.Methods() {
		if m.PageOnly() {
			continue
		}
		found := regexp.MustCompile(`(?m)^  ` + m.Name + `\(.*\): Promise<(.*)>;$`).FindStringSubmatch(body)
		if found == nil {
			t.Errorf("the method %s is not declared", m.Name)
			continue
		}
		if !regexp.MustCompile(`(?m)^  (async )?` + m.Name + `\(.*\) \{`).MatchString(module) {
			t.Errorf("pcpscope.js does not have the method %s", m.Name)
		}
		want := script(m.Reply)
		if m.Name == "close" {
			want = "void"
		}
		if found[1] != want {
			t.Errorf("%s is declared to give %s, Go gives %s", m.Name, found[1], want)
		}
	}
}

func TestReasonsAreDeclared(t *testing.T) {
	text := read(t, "web/static/pcpscope.d.ts")
	for w := series.BeforeFirst; ; w++ {
		if w.String() == "unknown reason" {
			break
		}
		if entry := regexp.MustCompile(`\b` + itoa(int(w)) + ` ` + regexp.QuoteMeta(w.String())); !entry.MatchString(strings.ReplaceAll(text, "\n * ", " ")) {
			t.Errorf("Why %d is not declared as %q", w, w)
		}
	}
}

func itoa(n int) string { b, _ := json.Marshal(n); return string(b) }

// declarations reads the interfaces: name to field to type, with "?" before
// the type of an optional field. Comments are left out.
func declarations(t *testing.T, file string) map[string]map[string]string {
	text := regexp.MustCompile(`(?s)/\*\*.*?\*/`).ReplaceAllString(read(t, file), "")
	all := map[string]map[string]string{}
	for _, m := range regexp.MustCompile(`(?ms)^export interface (\w+)[^{\n]*\{(?:\}|\n(.*?)^\})`).FindAllStringSubmatch(text, -1) {
		fields := map[string]string{}
		for _, f := range regexp.MustCompile(`(?m)^  (\w+)(\??): (.*);$`).FindAllStringSubmatch(m[2], -1) {
			fields[f[1]] = f[2] + f[3]
		}
		for _, f := range regexp.MustCompile(`(?m)^  (\w+)(\(.*\): .*);$`).FindAllStringSubmatch(m[2], -1) { // methods
			fields[f[1]] = f[2]
		}
		all[m[1]] = fields
	}
	return all
}

// members returns the fields that values of a struct have in JavaScript.
func members(t reflect.Type) map[string]string {
	all := map[string]string{}
	for i := range t.NumField() {
		f := t.Field(i)
		name, option, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "-" { // not in JSON
			continue
		}
		kind := script(f.Type)
		if option == "omitempty" {
			kind = "?" + strings.TrimSuffix(kind, " | null")
		}
		all[name] = kind
	}
	if t == reflect.TypeFor[api.Column]() { // one field there, two here
		all["values"] = "Float64Array | (string | null)[]"
		delete(all, "strings")
	}
	return all
}

// script names the JavaScript type that wasm/rpc makes of a Go type.
func script(t reflect.Type) string {
	switch t {
	case reflect.TypeFor[pcp.Time]():
		return "Nanos"
	case reflect.TypeFor[api.When]():
		return "Nanos | string"
	case reflect.TypeFor[api.SourceID]():
		return "SourceID"
	case reflect.TypeFor[json.RawMessage]():
		return "Record<string, unknown>"
	case reflect.TypeFor[[]float64]():
		return "Float64Array"
	case reflect.TypeFor[[]uint8](), reflect.TypeFor[rpc.Octets]():
		return "Uint8Array"
	case reflect.TypeFor[rpc.Numbers]():
		return "Float64Array"
	case reflect.TypeFor[rpc.Blob]():
		return "Blob"
	case reflect.TypeFor[any]():
		return "BigInt64Array | BigUint64Array" // Column.Exact, the only one
	case reflect.TypeFor[rpc.Blob]():
		return "Blob"
	case reflect.TypeFor[*api.Frame]():
		return "Frame" // never null
	}
	switch t.Kind() {
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "boolean"
	case reflect.Pointer:
		return script(t.Elem()) + " | null"
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Pointer {
			return "(" + script(t.Elem()) + ")[]"
		}
		return script(t.Elem()) + "[]"
	case reflect.Array:
		return "[start: number, end: number]" // Fault.Span, the only one
	case reflect.Struct:
		if t.PkgPath() == canvasPaths[0] {
			return t.Name()
		}
		if inlined[t.Name()] {
			var fields []string
			for i := range t.NumField() {
				f := t.Field(i)
				name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
				fields = append(fields, name+": "+script(f.Type))
			}
			return "{ " + strings.Join(fields, "; ") + " }"
		}
		return t.Name()
	}
	return "number"
}

// loosen replaces a union of string literals, and a reference to one in another
// interface, by string, as in Go.
func loosen(declared string) string {
	declared = regexp.MustCompile(`\b\w+\["\w+"\]`).ReplaceAllString(declared, "string")
	declared = strings.Replace(declared, "Nanos | string | Date", "Nanos | string", 1) // a Date is sent as text
	return regexp.MustCompile(`"[^"]*"( \| "[^"]*")*`).ReplaceAllString(declared, "string")
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
