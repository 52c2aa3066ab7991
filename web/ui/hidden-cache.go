package ui

import "github.com/vugu/vugu"

// whileHidden caches the output of a component, which stays on the page while the
// component is hidden, so that it need not be built, compared and sent at each
// click. It is rebuilt when it becomes hidden, so that the page hides it, and
// when it is shown again.
type whileHidden struct {
	built  *vugu.BuildOut
	hidden bool
}

func (u *whileHidden) build(hidden bool, c vugu.Builder, in *vugu.BuildIn) *vugu.BuildOut {
	if u.built == nil || !hidden || !u.hidden {
		u.built = c.Build(in)
	}
	u.hidden = hidden
	return u.built
}

// The components that are hidden most of the time.
type (
	DashboardsTab struct {
		Dashboards
		whileHidden
	}
	MetricsTab struct {
		TreeView
		whileHidden
	}
	FindingsTab struct {
		FindingList
		whileHidden
	}
	ComparedWith struct {
		CompareControls
		whileHidden
	}
	DerivePage struct {
		Derive
		whileHidden
	}
	OverviewPart struct {
		OverviewView
		whileHidden
	}
	LoggingPart struct {
		LoggingView
		whileHidden
	}
	DaysPart struct {
		DaysView
		whileHidden
	}
	ExplainPart struct {
		ExplainView
		whileHidden
	}
	MovesPart struct {
		MovesView
		whileHidden
	}
	RulesPart struct {
		RulesView
		whileHidden
	}
	SavePart struct {
		SaveCard
		whileHidden
	}
	ComparePart struct {
		CompareView
		whileHidden
	}
)

func (c *DashboardsTab) Build(in *vugu.BuildIn) *vugu.BuildOut {
	return c.build(c.App.Layout.Rail != "boards", &c.Dashboards, in)
}

func (c *MetricsTab) Build(in *vugu.BuildIn) *vugu.BuildOut {
	return c.build(c.App.Layout.Rail != "metrics", &c.TreeView, in)
}

func (c *FindingsTab) Build(in *vugu.BuildIn) *vugu.BuildOut {
	return c.build(c.App.Layout.Rail != "findings", &c.FindingList, in)
}

func (c *ComparedWith) Build(in *vugu.BuildIn) *vugu.BuildOut {
	return c.build(c.App.Layout.Rail != "findings" || !c.Open(), &c.CompareControls, in)
}

func (c *DerivePage) Build(in *vugu.BuildIn) *vugu.BuildOut {
	return c.build(c.Closed(), &c.Derive, in)
}

func (c *OverviewPart) Build(in *vugu.BuildIn) *vugu.BuildOut {
	return c.build(!c.Open(), &c.OverviewView, in)
}

func (c *LoggingPart) Build(in *vugu.BuildIn) *vugu.BuildOut {
	return c.build(!c.Open(), &c.LoggingView, in)
}

func (c *ComparePart) Build(in *vugu.BuildIn) *vugu.BuildOut {
	return c.build(!c.Open(), &c.CompareView, in)
}

func (c *DaysPart) Build(in *vugu.BuildIn) *vugu.BuildOut {
	return c.build(!c.Open(), &c.DaysView, in)
}

func (c *ExplainPart) Build(in *vugu.BuildIn) *vugu.BuildOut {
	return c.build(!c.Open(), &c.ExplainView, in)
}

func (c *MovesPart) Build(in *vugu.BuildIn) *vugu.BuildOut {
	return c.build(!c.Open(), &c.MovesView, in)
}

func (c *RulesPart) Build(in *vugu.BuildIn) *vugu.BuildOut {
	return c.build(!c.Open(), &c.RulesView, in)
}

func (c *SavePart) Build(in *vugu.BuildIn) *vugu.BuildOut {
	return c.build(!c.App.Saving.Open, &c.SaveCard, in)
}
