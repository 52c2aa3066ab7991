package app

import (
	"fmt"
	"strings"

	"pcpscope/web/format"
)

// Dismiss clears the list of rejected files.
func (i *Intake) Dismiss() { i.Refused = nil }

// A Refusal is one sentence about files that could not be opened. A folder may have
// hundreds of irrelevant ones.
type Refusal struct {
	Names  string // the first few file names
	Reason string
	All    string // all names, if Names does not have them all
}

// namedFiles is how many file names a refusal shows, tooltipFiles how many where there is
// room, and maxRefusals limits the number of sentences.
const (
	namedFiles   = 3
	tooltipFiles = 200
	maxRefusals  = 20
)

// Refusals lists what could not be opened, each sentence once.
func (intake *Intake) Refusals() []Refusal {
	var said []string
	names := map[string][]string{}
	for _, r := range intake.Refused {
		if names[r.Fault.Message] == nil {
			said = append(said, r.Fault.Message)
		}
		names[r.Fault.Message] = append(names[r.Fault.Message], r.Name)
	}
	list := make([]Refusal, len(said))
	for i, s := range said {
		all := names[s]
		list[i] = Refusal{Names: strings.Join(all[:min(len(all), namedFiles)], ", "), Reason: s}
		if what, ok := strings.CutPrefix(s, "This is "); ok && len(all) > 1 {
			list[i].Reason = "Each is " + what
		}
		if more := len(all) - namedFiles; more > 0 {
			list[i].Names = fmt.Sprintf("%s and %d more", strings.Join(all[:namedFiles], ", "), more)
			list[i].All = strings.Join(all[:min(len(all), tooltipFiles)], ", ")
			if len(all) > tooltipFiles {
				list[i].All += " …"
			}
		}
	}
	if more := len(list) - maxRefusals; more > 0 {
		list = append(list[:maxRefusals], Refusal{Names: format.Plural(more, "other reason"), Reason: "not listed here"})
	}
	return list
}
