// Package job says what is handed to package save, for those that ask for it
// and must not link it: saving takes more code than a page should wait for.
package job

import (
	"pcpscope/core/api"
	"pcpscope/core/archive"
	"pcpscope/core/pcp"
)

// A Job is a source and what is wanted of it. core.Session.SaveJob makes them.
type Job struct {
	Query      api.SaveQuery // what has been looked at: its metrics are there, and are no derived ones
	Start, End pcp.Time      // its window; the zero of both is all
	Every      pcp.Time      // thins; 0 for all values
	Name, Host string        // of the source
	Parts      []*archive.Archive
	// Yield, which may be nil, lets others have their turn. It is called often.
	Yield func()
	// Compose returns a text in Unicode's normal form C; nil where the program has the tables.
	Compose func(text string) string
}
