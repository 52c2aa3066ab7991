package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pcpscope/core/api"
)

// Options that would be ignored are refused, in a sentence.
func TestOptionsThatDoNotGoTogether(t *testing.T) {
	out := filepath.Join(t.TempDir(), "x")
	for line, want := range map[string]string{
		"info -z -Z UTC W": "-z and -Z", "values kernel.all.load -z -Z local W": "-z and -Z", // as pmval(1)
		"save --redact --list -o OUT W":   "--list writes nothing",
		"moves mem.util.free --limit 0 W": "from 1 to 100", "index --lanes 0 DIR": "--lanes", "index --lanes -2 DIR": "--lanes", "index --token-file none DIR": "--token-file goes with",
		"findings --fail-on= W": "levels of findings are", "serve --site SITE --listen 127.0.0.1:x": "no index.html",
	} {
		line = strings.NewReplacer(" W", " "+web01, "OUT", out, "SITE", t.TempDir(), "DIR", filepath.Dir(filepath.Dir(web01))).Replace(line)
		if got, said, status := call(t, strings.Fields(line)...); status != Wrong || got != "" || strings.Count(said, "\n") != 1 || !strings.Contains(said, want) {
			t.Errorf("%s: status %d, %s%s", line, status, got, said)
		}
	}
	if _, said, status := call(t, "info", "-z", web01); status != Done {
		t.Errorf("-z: status %d, %s", status, said)
	}
}

// A number that is none is named with its option, in a sentence for people.
func TestOptionsThatAreNoNumbers(t *testing.T) {
	for line, want := range map[string]string{
		"check kernel.all.load --above 1,5 W": `invalid argument "1,5" for "--above" flag`,
		"values kernel.all.load -s 1e3 W":     `invalid argument "1e3" for "-s, --samples" flag`,
		"info --nothing W":                    "unknown flag: --nothing",
	} {
		if out, said, status := call(t, strings.Fields(strings.ReplaceAll(line, " W", " "+web01))...); status != Wrong || out != "" || said != "pcpscope: "+want+"\n" {
			t.Errorf("%s: status %d, %s%s", line, status, out, said)
		}
	}
}

// --level is heeded with --json, too.
func TestFindingsOfALevelAsJSON(t *testing.T) {
	levels := func(args ...string) (list []string) {
		t.Helper()
		out, said, status := call(t, append([]string{"findings", "--json", "../../testdata/imported/sar"}, args...)...)
		var got struct{ Reply []api.Finding }
		if err := json.Unmarshal([]byte(out), &got); err != nil || status != Done || strings.Contains(out, `"reply":null`) {
			t.Fatalf("%s: status %d, %v, %s%s", args, status, err, out, said)
		}
		for _, f := range got.Reply {
			list = append(list, f.Level)
		}
		return list
	}
	all, some, none := levels(), levels("--level", "warning"), levels("--level", "error")
	if warnings := strings.Count(strings.Join(all, " "), api.Levels[1]); len(some) != warnings || warnings == 0 || len(some) == len(all) || len(none) != 0 {
		t.Errorf("%s of %s at warning, %s at error", some, all, none)
	}
}

// Rules of which there are none, as of a program that failed, were not looked at.
func TestRulesOfAnEmptyText(t *testing.T) {
	for _, args := range [][]string{{"rules", "-", web01}, {"rules", "--fail", "-", web01}, {"rules", "--json", "--fail", "-", web01}} {
		if out, said, status := call(t, args...); status != Wrong || out != "" || said != "pcpscope: There are no rules in -.\n" {
			t.Errorf("%s: status %d, %s%s", args, status, out, said)
		}
	}
}

// A score of 0 is one, and not the usual one of 8: incidents of any score are listed.
func TestLeastScoreOfZero(t *testing.T) {
	usual, _, _ := call(t, "story", web01)
	all, _, _ := call(t, "story", "--least", "1e-300", web01)
	if out, said, status := call(t, "story", "--least", "0", web01); status != Done || out != all || out == usual {
		t.Errorf("status %d, %s%s, want %s", status, out, said, all)
	}
}

// What help and completion do not know gives no text that passes for an answer.
func TestUnknownTopics(t *testing.T) {
	for _, line := range []string{"help nosuch", "help values nosuch", "completion nosuch", "completion bash nosuch", "help completion nosuch"} {
		if out, said, status := call(t, strings.Fields(line)...); status != Wrong || out != "" || strings.Count(said, "\n") != 1 {
			t.Errorf("%s: status %d, %s%s", line, status, out, said)
		}
	}
	for line, want := range map[string]string{"help": "compare ", "help values": "--raw", "help completion bash": "bash", "completion": "zsh", "completion bash": "__start_pcpscope"} {
		if out, said, status := call(t, strings.Fields(line)...); status != Done || said != "" || !strings.Contains(out, want) {
			t.Errorf("%s: status %d, %.200s%s", line, status, out, said)
		}
	}
}

// Base names that are names of other files are a mistake: whoever asks for a .tar.gz gets no
// a.tar.gz.meta. The names that loggers give are base names.
func TestNamesOfSavedArchives(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.tar.gz", "a.tgz", "a.tar.zst", "a.TAR", "a.Zip", "a.meta", "a.index", "a.meta.xz"} {
		if out, said, status := call(t, "save", "-m", "hinv.ncpu", "-o", filepath.Join(dir, name), web01); status != Wrong || out != "" || !strings.Contains(said, "would be a base name") {
			t.Errorf("%s: status %d, %s%s", name, status, out, said)
		}
	}
	if list, _ := os.ReadDir(dir); len(list) != 0 {
		t.Errorf("%v were written", list)
	}
	for _, name := range []string{"20261121.03.49", "20261121", "web01.example.com", "a.tar", "a.zip"} {
		if _, said, status := call(t, "save", "-m", "hinv.ncpu", "-o", filepath.Join(dir, name), web01); status != Done {
			t.Errorf("%s: status %d, %s", name, status, said)
		}
	}
}

// An option that is empty, as from an unset variable, is no option that is not there: the word would
// stay in an archive that is passed on, and the pseudonyms would be others each time.
func TestEmptyWords(t *testing.T) {
	for _, option := range []string{"--word=", "--word= ", "--key="} {
		dir := t.TempDir()
		for _, args := range [][]string{{"-o", filepath.Join(dir, "public")}, {"--list"}, {"--word=acme", "-o", filepath.Join(dir, "public")}} {
			if out, said, status := call(t, append([]string{"save", "--redact", option, web01}, args...)...); status != Wrong || out != "" || !strings.Contains(said, "must not be empty") {
				t.Errorf("%s %s: status %d, %s%s", option, args, status, out, said)
			}
		}
		if list, _ := os.ReadDir(dir); len(list) != 0 {
			t.Errorf("%s: %v were written", option, list)
		}
	}
	if _, said, status := call(t, "info", ""); status != Unreadable || said != "pcpscope: The name of a file is empty.\n" {
		t.Errorf("an empty name: status %d, %s", status, said)
	}
}

// A folder or a file that is not there gives the status of what cannot be read, whichever command it
// is for.
func TestInputsThatAreNotThere(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "index.html"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"info NO", "index NO", "index NO -o DIR/out", "index http://127.0.0.1:1/ -o DIR/out --token-file NO", "serve --site DIR --listen 127.0.0.1:0 NO", "rules NO W", "compare W NO"} {
		line = strings.NewReplacer("NO", filepath.Join(dir, "nothere"), "DIR", dir, "W", web01).Replace(line)
		if out, said, status := call(t, strings.Fields(line)...); status != Unreadable || out != "" || strings.Count(said, "\n") != 1 || !strings.Contains(said, "nothere") {
			t.Errorf("%s: status %d, %s%s", line, status, out, said)
		}
	}
}
