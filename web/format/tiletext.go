package format

import (
	"strings"

	"pcpscope/core/pattern"
)

// tileRoom is how many characters the cells of all tiles have room for on a page of usual
// width.
const tileRoom = 15

// valueLast is a text that ends with its value: "fedora-root 71 %", "/home full in 2 h 11 min".
var valueLast = pattern.New(`^(.*?[^ ]) (<?[0-9][0-9,.]*( %| (d|h) [0-9]+ (h|min)| (d|h|min|s))?)$`)

// TileText shortens the text of a tile's cell where it is long, so that the number stays:
// it is the name before it that is cut. The tooltip has all of it.
func TileText(text string) string {
	text = strings.TrimSuffix(text, " at most")
	if len([]rune(text)) <= tileRoom {
		return text
	}
	if load, _, is := strings.Cut(text, " on "); is && strings.HasPrefix(load, "load ") {
		return load
	}
	m := valueLast().FindStringSubmatch(text)
	if m == nil || strings.Contains(m[1], "%") { // "above 90 % for 10 s"
		return text
	}
	name, value := []rune(m[1]), m[2]
	room := max(2, tileRoom-len([]rune(value))-2)
	if len(name) <= room+1 {
		return text
	}
	return strings.TrimRight(string(name[:room]), " ") + "… " + value
}
