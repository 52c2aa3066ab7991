package format

import (
	"encoding/json"
	"os"
	"testing"
)

// The same table holds the scripts of the page: e2e, TestCellsForSpreadsheets.
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
			t.Errorf("%q is written as %q, want %q", c.Text, got, c.CSV)
		}
	}
}
