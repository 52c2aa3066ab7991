package ui

import (
	"strings"
	"testing"
)

// Labels that would look the same when truncated are shortened so that they differ;
// others stay as they are.
func TestTruncatedLabelsDiffer(t *testing.T) {
	for _, tt := range []struct{ labels, want string }{
		{"read|write", "read|write"},
		{"a name that stands alone|short", "a name that stands alone|short"},
		{"/dev/mapper/fedora_unused--216-root|/dev/mapper/fedora_unused--216-home|/dev/sda1", "/dev/…16-root|/dev/…16-home|/dev/sda1"},
		{"DMA::order0::node0|DMA32::order10::node0", "DMA::order0…|DMA32::order10…"},
		{"DMA::node0 free|DMA::node0 high|DMA::node0", "DMA::…e0 free|DMA::…e0 high|DMA::node0"},
		{"loop_back/test/queue_ticks|loop_back/test/write_ticks|loop_back/test/reads", "loop_…queue_t…|loop_…write_t…|loop_…t/reads"},
		{"/dev/mapper/vgsys0-lvhome capacity|/dev/mapper/vgsys0-lvvar capacity|/dev/mapper/vgdb0-lvmysqldb capacity|/dev/root used", "/dev/…home ca…|/dev/…var cap…|/dev/…db0-lvm…|/dev/root used"},
		{"7135 gnome-shell|8191 thunderbird", "7135 gnome-shell|8191 thunderbird"},
	} {
		var rows []LegendRow
		for l := range strings.SplitSeq(tt.labels, "|") {
			rows = append(rows, LegendRow{Label: l})
		}
		tellApart(rows, labelRoom)
		var got []string
		for _, r := range rows {
			got = append(got, r.Label)
		}
		if s := strings.Join(got, "|"); s != tt.want {
			t.Errorf("labels of %s = %s, want %s", tt.labels, s, tt.want)
		}
	}
}

// Where there is more room, names that fit stay as they are.
func TestLabelsWhereThereIsRoom(t *testing.T) {
	for labels, want := range map[string]string{
		"/dev/mapper/vg-lvhome|/dev/mapper/vg-lvvar":                                        "/dev/mapper/vg-lvhome|/dev/mapper/vg-lvvar",
		"/dev/mapper/fedora_unused--216-root|/dev/mapper/fedora_unused--216-home|/dev/sda1": "/dev/…ora_unused--216-root|/dev/…ora_unused--216-home|/dev/sda1",
	} {
		var rows []LegendRow
		for l := range strings.SplitSeq(labels, "|") {
			rows = append(rows, LegendRow{Label: l})
		}
		tellApart(rows, wideRoom)
		var got []string
		for _, r := range rows {
			got = append(got, r.Label)
		}
		if s := strings.Join(got, "|"); s != want {
			t.Errorf("labels of %s = %s, want %s", labels, s, want)
		}
	}
}
