package format

import "testing"

func TestTileText(t *testing.T) {
	for text, want := range map[string][2]string{
		"sdb 100 %":                {"", "sdb 100 %"},
		"27 % at most":             {"", "27 %"},
		"sdd queue 119 at most":    {"", "sdd queue 119"},
		"load 37.47 on 12":         {"", "load 37.47"},
		"load 1.2 on 4":            {"", "load 1.2 on 4"},
		"dks9d1 queue 0.1 at most": {"dks9d1", "queue 0.1"},
		"fedora_shard-root 71 %":   {"fedora_shard-root", "71 %"},
		"/home full in 2 h 11 min": {"/home full in", "2 h 11 min"},
		"/var full in 9 d":         {"/var full in", "9 d"},
		"above 90 % for 10 s":      {"", "above 90 % for 10 s"},
		"7,384 pages out/s":        {"", "7,384 pages out/s"}, // cut behind the number
	} {
		if name, value := TileText(text); name != want[0] || value != want[1] {
			t.Errorf("%q becomes %q and %q, want %q", text, name, value, want)
		}
	}
}
