package ui

import (
	"pcpscope/core/api"
	"pcpscope/web/format"
)

func (c *DeriveList) SetPasted(text string) { c.D().Pasted = text }

// The list of definitions.
func (c *DeriveList) From(d api.Definition) string {
	if d.BuiltIn {
		return "built in"
	}
	return "your own"
}

func (c *DeriveList) About(d api.Definition) string {
	if d.Fault != nil {
		return d.Fault.Message
	}
	return d.Oneline
}

func (c *DeriveList) AboutClass(d api.Definition) string {
	if d.Fault != nil {
		return "look"
	}
	return "t2"
}

func (c *DeriveList) DefinitionUnits(d api.Definition) string {
	switch {
	case d.Metric == nil:
		return "not here"
	case d.Metric.Units == "":
		return format.Dash
	}
	return d.Metric.Units
}

func (c *DeriveList) EditText(d api.Definition) string {
	if d.BuiltIn {
		return "Edit a copy"
	}
	return "Edit"
}
