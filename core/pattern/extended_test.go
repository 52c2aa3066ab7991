package pattern

import "testing"

// What pmrep 6.0.3 said of each expression, as -e 'a.x = …'.
func TestExtended(t *testing.T) {
	for expression, refused := range map[string]bool{
		"sum(rate(disk.dev.read))":             true, // Metric name expected to follow sum(
		"max(2 * disk.dev.read)":               true, // likewise
		"max(disk.dev.read - disk.dev.write)":  true,
		"avg(-disk.dev.read)":                  true,
		"sum(disk.dev.read[sda])":              true,
		"sum(matchinst(/x/, disk.dev.read))":   true,
		"topn(2, disk.dev.read)":               true, // Unexpected '('
		"1 + percentile(95, disk.dev.read)":    true,
		"1e3 * hinv.ncpu":                      true,
		"sum( disk.dev.read )":                 false,
		"100 * max(disk.dev.read) / hinv.ncpu": false,
		"rate(disk.dev.read) - 1":              false,
		"disk.dev.read":                        false,
	} {
		if Extended(expression) != refused {
			t.Errorf("Extended(%q) = %v", expression, !refused)
		}
	}
}
