package app

import (
	"strings"

	"pcpscope/core/api"
)

// thresholdsHeading begins the rules of the thresholds.
const thresholdsHeading = "// Thresholds of the findings."

// ownText writes thresholds as rules of pmie(1), and says of the others why there are none.
func ownText(list []api.Rule) string {
	var rules, others strings.Builder
	for _, r := range list {
		delta, text, some := strings.Cut(r.Pmie, "\n")
		switch {
		case some && rules.Len() == 0:
			rules.WriteString(thresholdsHeading + " A rule is true from when it has held for as long as a finding must last.\n" + delta + "\n" + text)
		case some:
			rules.WriteString(text)
		default:
			others.WriteString("// " + r.Name + ": " + r.Why + "\n")
		}
	}
	if others.Len() > 0 {
		rules.WriteString("// Without a rule of their own:\n" + others.String())
	}
	return rules.String()
}

// AddThresholds adds the thresholds of the findings to the text.
func (l *Lanes) AddThresholds() {
	l.tab.Rules.known(func(list []api.Rule) {
		text := strings.TrimRight(l.Text, "\n") + "\n\n"
		if l.Text == ExampleRules {
			text = ""
		}
		l.Text = text + ownText(list)
	})
}

// ShowThresholds shows when each threshold of the findings was exceeded. What the user
// wrote stays.
func (l *Lanes) ShowThresholds() {
	l.tab.Rules.known(func(list []api.Rule) {
		if l.kept() == "" || strings.HasPrefix(l.Text, thresholdsHeading) {
			l.Text, l.File = ownText(list), ""
		} else if !strings.Contains(l.Text, thresholdsHeading) {
			l.AddThresholds()
		}
		if !l.Open {
			l.Toggle()
		}
		l.Run()
	})
}
