package format

import (
	"encoding/json"
	"os"
	"testing"
)

// The same cases test the page's scripts: TestCellsForSpreadsheets in e2e.
func TestCSVCell(t *testing.T) {
	text, err := os.ReadFile("testdata/cells.json")
	if err != nil {
		t.Fatal(err)
	}
	var cells []struct{ Text, CSV string }
	if err := json.Unmarshal(text, &cells); err != nil {
		t.Fatal(err)
	}
	for _, c := range cells {
		if got := CSVCell(c.Text); got != c.CSV {
			t.Errorf("CSVCell(%q) = %q, want %q", c.Text, got, c.CSV)
		}
	}
}
