package hostile

import (
	"fmt"
	"strings"

	"pcpscope/core"
)

// settingsKinds are configuration files of PCP's tools.
var settingsKinds = []Kind{
	{Name: "definitions", Make: func(n int) []core.File {
		var b strings.Builder
		for i := range n / 4 {
			fmt.Fprintf(&b, "my.d%d = rate(a.b) * %d\n", i, i)
		}
		return append(small(0).files(), file("my.conf", []byte(b.String())))
	}},
	{Name: "definitions of definitions", Make: func(n int) []core.File {
		var b strings.Builder
		fmt.Fprintf(&b, "my.d0 = a.b\n")
		for i := range min(n/4, 400) {
			fmt.Fprintf(&b, "my.d%d = my.d%d + 1\n", i+1, i)
		}
		return append(small(0).files(), file("my.conf", []byte(b.String())))
	}},
	{Name: "a configuration of pmrep", Make: func(n int) []core.File {
		var b strings.Builder
		b.WriteString("[mine]\nheader = yes\n")
		for i := range n / 4 {
			fmt.Fprintf(&b, "a.b%d = x%d,,,,8\n", i, i)
		}
		return append(small(0).files(), file("pmrep.conf", []byte(b.String())))
	}},
	{Name: "a view of pmchart", Make: func(n int) []core.File {
		var b strings.Builder
		b.WriteString("#kmchart\nversion 1\n")
		for i := range n / 8 {
			fmt.Fprintf(&b, "chart title \"t%d\" style plot\n\tplot color #123456 metric a.b\n", i)
		}
		return append(small(0).files(), file("my.view", []byte(b.String())))
	}},
}
