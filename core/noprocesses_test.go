package core

import (
	"strings"
	"testing"

	"pcpscope/core/api"
	"pcpscope/core/archive"
	"pcpscope/core/pcp"
)

// A collector that is asked over the network logs PM_ERR_PERMISSION in place of processes,
// -12387, as pmdumplog prints "No permission to perform requested operation" of pmlogger's
// archives. The table says so, not that the metric is missing.
func TestProcessesNotPermitted(t *testing.T) {
	for _, x := range []struct {
		logged bool
		code   pcp.Code
		want   string
	}{
		{true, -12387, "the error PM_ERR_PERMISSION, not permitted, for proc.psinfo.utime"},
		{true, 0, "proc.psinfo.utime has no values"},
		{false, 0, "proc.psinfo.utime is missing"},
	} {
		w := begun(t, 1, func(out *archive.Writer) {
			if !x.logged {
				return
			}
			d := pcp.Desc{PMID: pcp.MakePMID(3, 8, 13), InDom: pcp.MakeInDom(3, 9), Type: pcp.Uint32, Sem: pcp.Counter, Units: pcp.MakeUnits(0x00100000)}
			out.Desc(d, "proc.psinfo.utime")
			out.Record(second(0), []archive.ValueSet{{PMID: d.PMID, Type: d.Type, Code: x.code}})
		})
		s := NewSession(Options{})
		opened, err := s.Open(t.Context(), w.files(), nil)
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.Processes(t.Context(), api.ProcessQuery{Source: opened.Sources[0].ID}, nil)
		if err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("error %v, want %q", err, x.want)
		}
	}
}
