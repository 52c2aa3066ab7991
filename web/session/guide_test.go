package session

import (
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pcpscope/web/compare"
	"pcpscope/web/panel"
	"pcpscope/web/table"
)

// docs/keeping.md lists all fields of a session, and no others.
func TestFieldsOfTheGuide(t *testing.T) {
	guide, err := os.ReadFile("../../docs/keeping.md")
	if err != nil {
		t.Fatal(err)
	}
	_, list, found := strings.Cut(string(guide), "| field | |")
	list, _, closed := strings.Cut(list, "\n\n")
	if !found || !closed {
		t.Fatal("docs/keeping.md has no table of fields")
	}
	word := regexp.MustCompile("`([^`]*)`")
	told := map[string][]string{} // of a part: its fields
	for line := range strings.Lines(list) {
		cells := strings.Split(line, "|")
		if len(cells) < 3 || strings.Contains(cells[1], "-") {
			continue
		}
		part, names := "", cells[1]
		if m := word.FindStringSubmatch(cells[1]); strings.HasSuffix(m[1], "[]") || m[1] == "compare" || m[1] == "days" {
			part, names = strings.TrimSuffix(m[1], "[]"), cells[2]
			told[""] = append(told[""], strings.TrimSuffix(m[1], "[]"))
		} else if strings.Contains(cells[1], "drawer") {
			told["views"] = strings.Fields(word.FindStringSubmatch(cells[2])[1])
		}
		for _, m := range word.FindAllStringSubmatch(names, -1) {
			told[part] = append(told[part], strings.Fields(m[1])...)
		}
	}
	fields := func(v any) (names []string) {
		for _, f := range reflect.VisibleFields(reflect.TypeOf(v)) {
			if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); f.IsExported() && !f.Anonymous && name != "-" {
				names = append(names, name)
			}
		}
		return names
	}
	for part, v := range map[string]any{"": Session{}, "sources": Source{}, "compare": compare.Saved{}, "days": Days{}, "panels": panel.Settings{}, "notes": Note{}, "views": table.View{}} {
		for _, name := range fields(v) {
			if !slices.Contains(told[part], name) {
				t.Errorf("%T: docs/keeping.md does not list the field %q", v, name)
			}
		}
		for _, name := range told[part] {
			of := fields(v)
			if part == "" {
				of = append(of, "compare", "days", "panels", "notes") // of a source; they have lists of their own
			}
			if part == "panels" || part == "compare" {
				of = append(of, "start", "end", "board", "hidden", "revealed") // said of the fields
			}
			if !slices.Contains(of, name) {
				t.Errorf("docs/keeping.md lists %q for %T, which has no such field", name, v)
			}
		}
	}
}
