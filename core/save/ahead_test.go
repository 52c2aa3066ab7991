package save

import (
	"io"
	"strings"
	"testing"

	"pcpscope/core/pcp"
)

// shaky panics behind its first bytes.
type shaky struct{}

func (shaky) ReadAt(b []byte, off int64) (int, error) {
	if off > 0 {
		panic("shaken")
	}
	return len(b), nil
}

// A panic of what keeps the files ends the saving, in words.
func TestPanicWhileReadingBack(t *testing.T) {
	a := newAhead(shaky{}, 3*backSize)
	defer a.Close()
	n, err := io.Copy(io.Discard, a)
	if n != backSize || err == nil || pcp.AsFault(err).Kind != pcp.Internal || !strings.Contains(err.Error(), "shaken") {
		t.Errorf("%d bytes, %v", n, err)
	}
}
