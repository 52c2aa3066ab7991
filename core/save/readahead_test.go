package save

import (
	"io"
	"strings"
	"testing"

	"pcpscope/core/pcp"
)

// shaky panics after its first bytes.
type shaky struct{}

func (shaky) ReadAt(b []byte, off int64) (int, error) {
	if off > 0 {
		panic("shaken")
	}
	return len(b), nil
}

// A panic in the storage ends the saving with an error.
func TestPanicWhileReadingBack(t *testing.T) {
	a := newAhead(shaky{}, 3*backSize)
	defer a.Close()
	n, err := io.Copy(io.Discard, a)
	if n != backSize || err == nil || pcp.AsFault(err).Kind != pcp.Internal || !strings.Contains(err.Error(), "shaken") {
		t.Errorf("%d bytes, %v", n, err)
	}
}
