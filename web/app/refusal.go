package app

import (
	"fmt"
	"strings"

	"pcpscope/web/format"
)

// Dismiss clears the list of refused files.
func (i *Intake) Dismiss() { i.Refused = nil }

// A Refusal is one sentence about files that could not be used. A folder may
// have hundreds that are of no interest here.
type Refusal struct {
	Names string // of the files, the first few
	Said  string
	All   string // every name, where Names does not have them all
}

// namedFiles is how many files a refusal names, toldFiles how many it names
// where there is room, and maxRefusals how many sentences there are.
const (
	namedFiles  = 3
	toldFiles   = 200
	maxRefusals = 20
)

// Refusals lists what could not be used, each sentence once.
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
		list[i] = Refusal{Names: strings.Join(all[:min(len(all), namedFiles)], ", "), Said: s}
		if what, ok := strings.CutPrefix(s, "This is "); ok && len(all) > 1 {
			list[i].Said = "Each is " + what
		}
		if more := len(all) - namedFiles; more > 0 {
			list[i].Names = fmt.Sprintf("%s and %d more", strings.Join(all[:namedFiles], ", "), more)
			list[i].All = strings.Join(all[:min(len(all), toldFiles)], ", ")
			if len(all) > toldFiles {
				list[i].All += " …"
			}
		}
	}
	if more := len(list) - maxRefusals; more > 0 {
		list = append(list[:maxRefusals], Refusal{Names: format.Plural(more, "other reason"), Said: "not listed here"})
	}
	return list
}
