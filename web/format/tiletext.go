package format

import (
	"strings"

	"pcpscope/core/pattern"
)

// tileRoom is how many characters the cells of all tiles have room for on a page of usual
// width.
const tileRoom = 15

// valueLast is a text that ends with its value, and with what was measured: "fedora-root
// 71 %", "dks9d1 queue 0.1", "/home full in 2 h 11 min".
var valueLast = pattern.New(`^(.*?[^ ]) ((queue )?<?[0-9][0-9,.]*( %| (d|h) [0-9]+ (h|min)| (d|h|min|s))?)$`)

// TileText splits the text of a tile's cell where it is long, so that the page cuts the
// name where there is no room for both, and the value stays. The tooltip has all of it.
func TileText(text string) (name, value string) {
	text = strings.TrimSuffix(text, " at most")
	if len([]rune(text)) <= tileRoom {
		return "", text
	}
	if load, _, is := strings.Cut(text, " on "); is && strings.HasPrefix(load, "load ") {
		return "", load
	}
	m := valueLast().FindStringSubmatch(text)
	if m == nil || strings.Contains(m[1], "%") { // "above 90 % for 10 s"
		return "", text
	}
	return m[1], m[2]
}
