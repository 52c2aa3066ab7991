package panel

import (
	"slices"

	"pcpscope/core/api"
)

// FromDashboard makes settings from a dashboard's panel.
func FromDashboard(d *api.Dashboard, a api.DashboardPanel) Settings {
	s := Settings{Part: a.ID, Title: a.Title, What: a.What, Log: a.Log, Style: a.Style, Unit: a.Unit, Usual: a.Usual, Next: a.Next,
		Thresholds: a.Thresholds, Max: a.Max, Top: a.Top, InnermostOnly: a.InnermostOnly, Decimals: a.Decimals, Commands: a.Commands}
	if d.Group == "From the archive" || d.Group == "Imported" {
		s.Usual, s.Next = "", ""
	}
	for _, l := range a.Series {
		s.Metrics = append(s.Metrics, l.Expression)
		s.Lines = append(s.Lines, LineStyle{Name: l.Name, Role: l.Role, Unit: l.Unit, Units: l.Units, All: l.All, Below: l.Below, Bold: l.Bold, Right: l.Right, Hidden: l.Hidden})
	}
	accounted := slices.ContainsFunc(d.Panels, func(p api.DashboardPanel) bool { return p.ID == "cpu" }) // samples of processes are those of CPU time
	if what, ok := consumed[a.ID]; ok && d.ID == "processes" && accounted {
		s.Breakdown = &Breakdown{What: what, By: "command", Top: max(a.Top, 7)}
		s.Title = s.Breakdown.Title()
		s.Style = "topn"
	}
	return s
}

// consumed are the panels that show which processes used a resource.
var consumed = map[string]string{"cpu": "cpu", "memory": "memory", "read": "read", "write": "write", "user": "userCPU", "sys": "sysCPU", "wait": "waiting", "blkio": "blocked", "swapped": "swapped",
	"major": "major", "minor": "minor", "voluntary": "voluntary", "involuntary": "forced", "threads": "threads", "files": "files", "uninterruptible": "uninterruptible", "runnable": "runnable"}

// FromPart makes the settings of a dashboard's panel by its ID; nil if there is none. whole
// includes what is left out by default.
func FromPart(d *api.Dashboard, id string, whole bool) *Settings {
	if d == nil || id == "" {
		return nil
	}
	for _, a := range d.Panels {
		if a.ID == id {
			s := FromDashboard(d, a)
			if whole {
				s.ToggleWhole()
			}
			return &s
		}
	}
	return nil
}

// Saved is the part of the settings to save: for a panel of a built-in dashboard, title
// and lines are omitted unless changed.
func (s Settings) Saved(known *api.Dashboard) Settings {
	of := FromPart(known, s.Part, s.Whole)
	if of != nil && slices.Equal(of.Metrics, s.Metrics) && of.Title == s.Title {
		s.Title, s.What, s.Metrics, s.Lines, s.Unit = "", "", nil, nil, ""
	} else {
		s.Part = ""
	}
	return s
}

// Restored completes saved settings; false if the dashboard does not have the panel here.
func (s Settings) Restored(d *api.Dashboard) (Settings, bool) {
	if s.Part != "" {
		of := FromPart(d, s.Part, s.Whole)
		if of == nil {
			return s, false
		}
		s.Title, s.What, s.Metrics, s.Lines, s.Unit = of.Title, of.What, of.Metrics, of.Lines, of.Unit
		s.Thresholds, s.InnermostOnly, s.Decimals, s.Usual, s.Next, s.Commands = of.Thresholds, of.InnermostOnly, of.Decimals, of.Usual, of.Next, of.Commands
	}
	return s.Migrated(), true
}
