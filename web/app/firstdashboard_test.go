package app

import (
	"testing"

	"pcpscope/core/api"
)

// An archive without the usual metrics opens on the dashboard with the most data,
// but not on the one about its collector.
func TestFirstDashboard(t *testing.T) {
	board := func(id, group string, available bool, panels int) api.DashboardInfo {
		return api.DashboardInfo{ID: id, Group: group, Available: available, Panels: panels}
	}
	for _, tt := range []struct {
		list []api.DashboardInfo
		want string
	}{
		{[]api.DashboardInfo{board("cpu", "", true, 12), board("overview", "", true, 3)}, "overview"},
		{[]api.DashboardInfo{board("overview", "", false, 0), board("collector", "", true, 4), board("tree-bind2", "All else", true, 3), board("tree-sample", "All else", true, 1), board("tool-sar", toolDashboards, true, 9)}, "tree-bind2"},
		{[]api.DashboardInfo{board("overview", "", false, 0), board("disks", "", true, 1), board("collector", "", true, 4)}, "disks"},
		{[]api.DashboardInfo{board("collector", "", true, 4)}, "collector"},
		{nil, ""},
	} {
		if got := firstDashboard(tt.list); got != tt.want {
			t.Errorf("firstDashboard(%v) = %q, want %q", tt.list, got, tt.want)
		}
	}
}
