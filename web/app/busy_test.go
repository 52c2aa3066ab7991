package app

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"pcpscope/internal/recording"
)

// The strip shows the share of all CPU time, whatever kernel.all.cpu holds. All modes
// together are 40 s in the 10 s between samples where they are the sum of four CPUs.
func TestBusyOfPlatforms(t *testing.T) {
	const agents = `hinv.ncpu|32-bit unsigned int|-|discrete|none
kernel.all.cpu.user|64-bit unsigned int|-|counter|millisec
kernel.all.cpu.nice|64-bit unsigned int|-|counter|millisec
kernel.all.cpu.sys|64-bit unsigned int|-|counter|millisec
kernel.all.cpu.idle|64-bit unsigned int|-|counter|millisec
kernel.all.cpu.wait.total|64-bit unsigned int|-|counter|millisec
kernel.all.cpu.irq.hard|64-bit unsigned int|-|counter|millisec
kernel.all.cpu.irq.soft|64-bit unsigned int|-|counter|millisec
`
	const imported = `hinv.ncpu|32-bit unsigned int|-|discrete|none
kernel.all.cpu.user|float|-|instant|none
kernel.all.cpu.nice|float|-|instant|none
kernel.all.cpu.sys|float|-|instant|none
kernel.all.cpu.idle|float|-|instant|none
`
	const n = 30
	for _, tt := range []struct {
		name, agents string
		cpus         float64 // 0 if not logged
		modes        map[string]float64
		want         float64
		of           string
	}{
		{"Linux", agents, 4, map[string]float64{"user": 8000, "nice": 0, "sys": 2000, "idle": 29000, "wait.total": 1000}, 0.25, "% of all 4 CPUs"},
		{"Linux, interrupts in two parts", agents, 4, map[string]float64{"user": 8000, "nice": 0, "sys": 2000, "irq.hard": 1500, "irq.soft": 500, "idle": 27000, "wait.total": 1000}, 0.3, "% of all 4 CPUs"},
		{"Windows, the mean of four CPUs", agents, 4, map[string]float64{"user": 4500, "sys": 500, "idle": 5000}, 0.5, "% of all 4 CPUs"},
		{"IRIX, nobody says how many CPUs", agents, 0, map[string]float64{"user": 8000, "sys": 2000, "idle": 20000, "wait.total": 10000}, 0.25, "% of all CPUs"},
		{"imported from sar", imported, 8, map[string]float64{"user": 0.2, "nice": 0, "sys": 0.1, "idle": 0.7}, 0.3, "% of all 8 CPUs"},
		{"imported from iostat, whose figures add up to 99 %", imported, 0, map[string]float64{"user": 0.2, "nice": 0, "sys": 0.1, "idle": 0.69}, 0.3, "% of all CPUs"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "agents")
			if err := os.WriteFile(file, []byte(tt.agents), 0o600); err != nil {
				t.Fatal(err)
			}
			values := map[string]map[string]any{}
			if tt.cpus > 0 {
				values["hinv.ncpu"] = map[string]any{"": recording.Steady(n, tt.cpus)}
			}
			for mode, x := range tt.modes {
				vals := make([]float64, n)
				for i := range vals {
					if vals[i] = x; tt.agents == agents {
						vals[i] = x * float64(i)
					}
				}
				values["kernel.all.cpu."+mode] = map[string]any{"": vals}
			}
			var files []File
			for _, name := range (recording.Recording{Agents: file, Host: "busy", Step: 10e9, Values: values}).Write(t) {
				data, err := os.ReadFile(name)
				if err != nil {
					t.Fatal(err)
				}
				files = append(files, File{Name: filepath.Base(name), Size: int64(len(data)), Data: data})
			}
			tab := newBench(t).open(t, files)
			p := tab.Pulse
			if p.Name != busyName || math.Abs(p.Stats.Avg-tt.want) > 1e-6 || math.Abs(p.Stats.Max-tt.want) > 1e-6 || p.Of != tt.of {
				t.Errorf("%s: average %v, maximum %v %s, want %v %s", p.Name, p.Stats.Avg, p.Stats.Max, p.Of, tt.want, tt.of)
			}
		})
	}
}

// A host with two CPUs that are all in use gets eight, of which a tenth is: in the number that
// was logged, or in the CPU time alone, where the number was logged once.
func TestBusyOfResizedHost(t *testing.T) {
	const n, grows = 40, 20
	counted := func(before, after float64) (list []float64) { // s in an hour
		sum := 0.0
		for i := range n {
			list = append(list, sum*1000)
			if sum += before; i >= grows {
				sum += after - before
			}
		}
		return list
	}
	ncpu := recording.Steady(n, 2.0)
	for i := grows + 1; i < n; i++ {
		ncpu[i] = 8
	}
	for name, logged := range map[string][]float64{"logged": ncpu, "logged once": {2}} {
		values := map[string]map[string]any{"hinv.ncpu": {"": logged}}
		for mode, v := range map[string][]float64{"user": counted(2*3600, 0.8*3600), "nice": counted(0, 0), "sys": counted(0, 0), "idle": counted(0, 7.2*3600), "intr": counted(0, 0), "wait.total": counted(0, 0), "steal": counted(0, 0)} {
			values["kernel.all.cpu."+mode] = map[string]any{"": v}
		}
		var files []File
		for _, name := range (recording.Recording{Agents: "../../core/dashboard/testdata/pminfo.txt", Host: "resized", Step: 3600e9, Values: values}).Write(t) {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, File{Name: filepath.Base(name), Size: int64(len(data)), Data: data})
		}
		b := newBench(t)
		tab := b.open(t, files)
		p := tab.Pulse
		average := (grows*1 + (n-1-grows)*0.1) / (n - 1)
		if math.Abs(p.Stats.Avg-average) > 1e-3 || math.Abs(p.Stats.Max-1) > 1e-6 || math.Abs(p.Stats.Last-0.1) > 1e-6 || p.Of != "% of all CPUs" {
			t.Errorf("%s: average %v, maximum %v, last %v %s; want %v, 1, 0.1 %% of all CPUs", name, p.Stats.Avg, p.Stats.Max, p.Stats.Last, p.Of, average)
		}
		tab.Days.Open = true
		b.RefreshDays()
		b.run()
		d := &tab.Days
		var top, bottom float64 = 0, 1e9
		for _, v := range d.Result.Average {
			if !math.IsNaN(v) {
				top, bottom = max(top, v*d.Shown.Factor), min(bottom, v*d.Shown.Factor)
			}
		}
		if d.Measure.Name != busyName || math.Abs(top-100) > 1e-3 || math.Abs(bottom-10) > 1e-3 || d.Shown.Of != "% of all CPUs" {
			t.Errorf("%s: hours of %s are from %v to %v %s, want 10 to 100 %% of all CPUs", name, d.Measure.Name, bottom, top, d.Shown.Of)
		}
	}
}
