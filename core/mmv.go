package core

import (
	"pcpscope/core/container"
	"pcpscope/core/pcp"
)

// openMMV opens every MMV file among the leaves.
func openMMV(found *container.Expanded, reject func(string, pcp.Fault)) []*source { return nil }
