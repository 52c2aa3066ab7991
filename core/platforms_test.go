package core

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"pcpscope/core/api"
	"pcpscope/internal/recording"
	"pcpscope/internal/reference"
)

// CPU time of systems of all kinds: what the panel Breakdown says of each mode
// is, on average, what pmlogsummary prints of its counter (TZ=UTC pmlogsummary
// -F ARCHIVE kernel.all.cpu.MODE), over the number of CPUs that hinv.ncpu or
// the instances of kernel.percpu tell; where neither does, over all modes.
func TestCPUTimeOfPlatforms(t *testing.T) {
	for _, tt := range []struct {
		archive, about string
		cpus           float64
		want           map[string]float64 // seconds a second, all CPUs together
	}{
		{"all-irix-6.5.25", "IRIX", 10, map[string]float64{"user": 0.590, "sys": 0.757, "wait": 0, "idle": 8.371}},
		{"babylon.pmview_v2", "IRIX, CPUs counted", 24, map[string]float64{"user": 1.292, "sys": 0.601, "wait": 9.000, "idle": 13.030}},
		{"20101004-trunc", "a NAS", 24, map[string]float64{"user": 0.215, "sys": 0.347, "wait": 11.045, "idle": 13.225}},
		{"kenj-pc-1", "Linux 2.4, a CPU", 1, map[string]float64{"user": 0.195, "nice": 0.014, "sys": 0.086, "idle": 0.706}},
		{"all-sles9-sp1", "Linux on Itanium", 4, map[string]float64{"user": 0.005, "sys": 0.007, "idle": 3.920}},
		{"dm-io", "CPUs counted", 4, map[string]float64{"user": 0.082, "nice": 0.003, "sys": 0.077, "wait": 0.338, "idle": 3.485}},
		{"viewqa1", "nobody says how many CPUs", 0.215 + 0.022 + 0.760 + 0.002 + 0.001, map[string]float64{"user": 0.215, "sys": 0.022, "idle": 0.760}},
		{"viewqa3", "nobody says how many CPUs", 0.090 + 0.010 + 0.899 + 0.001, map[string]float64{"user": 0.090, "sys": 0.010, "idle": 0.899}},
		{"pcp-zeroconf", "Linux on ARM", 8, map[string]float64{"user": 0.061, "sys": 0.035, "wait": 0.009, "idle": 7.813}},
		{"pcp-pidstat-process-args-b", "a guest", 4, map[string]float64{"steal": 0.163, "idle": 3.360}},
	} {
		files, _ := filepath.Glob(filepath.Join(reference.Need(t, "corpus", "archives"), tt.archive+".*"))
		s, src := readAll(t, files...)
		id := src.ID
		dashboard, err := s.Dashboard(t.Context(), id, "cpu")
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range dashboard.Panels {
			if p.ID != "modes" {
				continue
			}
			for _, series := range p.Series {
				want, known := tt.want[series.Name]
				if !known {
					continue
				}
				delete(tt.want, series.Name)
				f, err := s.Fetch(t.Context(), api.Query{Source: id, Metrics: []string{series.Expression}, Pixels: 2, Statistics: &api.Range{}}, nil)
				if err != nil || f.Columns[0].Statistics == nil {
					t.Errorf("%s: %s: %v, %+v", tt.archive, series.Expression, err, f.Columns[0].Fault)
					continue
				}
				// Both figures were rounded to a thousandth; a mode logged with others has another first record.
				got, want := f.Columns[0].Statistics.Average, 100*want/tt.cpus
				if math.Abs(got-want) > 0.06/tt.cpus+0.005*want {
					t.Errorf("%s (%s): %s is %.3f %%, want %.3f: %s", tt.archive, tt.about, series.Name, got, want, series.Expression)
				}
			}
		}
		for name := range tt.want {
			t.Errorf("%s (%s): no series of %s", tt.archive, tt.about, name)
		}
		v, err := s.Overview(t.Context(), id, nil)
		if err != nil || !strings.Contains(v.Tiles[0].Utilisation.Text, "%") {
			t.Errorf("%s: the tile of CPUs is %+v, %v", tt.archive, v.Tiles[0].Utilisation, err)
		}
	}
}

// A host of four CPUs of which no metric says so: as on IRIX, single CPUs were
// logged once, or not at all. What all of them did together tells: each second
// their modes grow by 0.8, 0.4, 2, 0.2 and 0.6 s, which are 20, 10, 50, 5 and 15 %.
func TestCPUsThatNobodyCounts(t *testing.T) {
	for _, single := range []bool{true, false} {
		made := logged{}.and("kernel.all.load", "1 minute", always(3))
		for mode, ms := range map[string]float64{"user": 800, "sys": 400, "idle": 2000, "intr": 200, "wait.total": 600} {
			made.and("kernel.all.cpu."+mode, "", counted(10, 61, ms))
		}
		if single {
			for _, cpu := range []string{"cpu0", "cpu1", "cpu2", "cpu3"} {
				made.and("kernel.percpu.cpu.user", cpu, []float64{1000}).and("kernel.percpu.cpu.idle", cpu, []float64{5000}).and("kernel.percpu.cpu.wait.total", cpu, []float64{50})
			}
		}
		s, src := record(t, recording.Recording{Host: "host", Step: 10e9, Values: made})
		v, err := s.Overview(t.Context(), src.ID, nil)
		if err != nil {
			t.Fatal(err)
		}
		if cpu := v.Tiles[0]; cpu.Saturation.Text != "load 3.00 on 4" || cpu.Utilisation.Text != "35 % at most" {
			t.Errorf("the tile says %q and %q", cpu.Saturation.Text, cpu.Utilisation.Text)
		}
		expect(t, "CPU", panelValues(t, s, src, "overview", "cpu", recording.Start, 10e9, 40), map[string]float64{"user": 20, "sys": 10, "idle": 50, "intr": 5, "wait": 15})
		expect(t, "Busy", panelValues(t, s, src, "cpu", "busy", recording.Start, 10e9, 40), map[string]float64{"busy": 35})
	}
}

// What sar2pcp imports is shown and judged as sar means it: average queue size,
// milliseconds, and shares of time. The first disk waits for 200 s, the other
// had no request.
func TestDisksImportedFromSar(t *testing.T) {
	made := logged{}.and("disk.dev.avactive", "sda", for200s(0.95, 0.1)).and("disk.dev.avqsz", "sda", for200s(6, 0.2)).and("disk.dev.await", "sda", for200s(25, 5)).and("disk.dev.svctm", "sda", always(3)).and("disk.dev.total", "sda", always(50))
	for _, metric := range []string{"avactive", "avqsz", "await", "svctm", "total"} {
		made.and("disk.dev."+metric, "sdb", always(0))
	}
	s, src := record(t, recording.Recording{Agents: "dashboard/testdata/sar.txt", Host: "host", Step: 10e9, Values: made})
	v, err := s.Overview(t.Context(), src.ID, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(v.Findings) != 1 || v.Findings[0].Level+" "+v.Findings[0].Text != "look sda 95 % busy for 3 min 20 s, average queue size 6.0" {
		t.Errorf("findings are %+v", v.Findings)
	}
	if disks := v.Tiles[2]; disks.Utilisation.Text != "sda 95 %" || disks.Saturation.Text != "sda queue 6.0 at most" {
		t.Errorf("the tile says %q and %q", disks.Utilisation.Text, disks.Saturation.Text)
	}
	expect(t, "queue", panelValues(t, s, src, "disks", "flight", recording.Start, 10e9, 31), map[string]float64{"sda": 6, "sdb": 0})
	expect(t, "latency", panelValues(t, s, src, "disks", "mean", recording.Start, 10e9, 31), map[string]float64{"sda": 25, "sdb": math.NaN()})
	expect(t, "heat map", panelValues(t, s, src, "disks", "heat", recording.Start, 10e9, 31), map[string]float64{"sda": 25, "sdb": math.NaN()})
}

// CPUs are as busy as their modes say, together and each (pmlogsummary -F, seconds a
// second). The first kernel's idle and waiting time are 101 % of all time, and it
// knows no steal; the second archive has interrupts in two parts; the third has
// neither interrupts nor waiting time, which is not work.
func TestBusy(t *testing.T) {
	for _, tt := range []struct {
		archive    string
		work, cpus float64
	}{
		{"20101004-trunc", 0.215 + 0 + 0.347 + 0.018, 24},
		{"pcp-atop-nvidia", 0.110 + 0 + 0.047 + 0.033 + 0.188, 8},
		{"pcp-pidstat", 0.447 + 0 + 0.626, 4},
	} {
		files, _ := filepath.Glob(filepath.Join(reference.Need(t, "corpus", "archives"), tt.archive+".*"))
		s, src := readAll(t, files...)
		id := src.ID
		d, err := s.Dashboard(t.Context(), id, "cpu")
		if err != nil {
			t.Fatal(err)
		}
		want, seen := 100*tt.work/tt.cpus, 0
		for _, p := range d.Panels {
			if p.ID != "busy" && p.ID != "percpu" {
				continue
			}
			f, err := s.Fetch(t.Context(), api.Query{Source: id, Metrics: []string{p.Series[0].Expression}, Pixels: 2, Statistics: &api.Range{}}, nil)
			if err != nil {
				t.Fatal(err)
			}
			seen++
			sum := 0.0
			for _, c := range f.Columns {
				sum += c.Statistics.Average
				if c.Statistics.Minimum < 0 {
					t.Errorf("%s: %s of %v is %.1f %% at least", tt.archive, p.ID, c.Instance, c.Statistics.Minimum)
				}
			}
			if got := sum / float64(len(f.Columns)); math.Abs(got-want) > 0.1 { // single CPUs are counted in ticks of their own: 0.37 s in the second archive
				t.Errorf("%s: %s is %.3f %% on average of %d, want %.3f: %s", tt.archive, p.ID, got, len(f.Columns), want, p.Series[0].Expression)
			}
		}
		if seen == 0 {
			t.Errorf("%s: no panel", tt.archive)
		}
		v, err := s.Overview(t.Context(), id, nil)
		if err != nil {
			t.Fatal(err)
		}
		if tile := v.Tiles[0].Utilisation; tile.Value == nil || *tile.Value < want {
			t.Errorf("%s: the tile says %q; the average is %.1f %%", tt.archive, tile.Text, want)
		}
	}
}

// The first agent for AMD's cards: clock is the temperature in millidegrees, clock_max the
// load, load the power, temperature the clock. TZ=UTC pmlogsummary -F amdgpu-0 amdgpu.gpu
// prints 35835.271, 7.171, 20.839 and 1600.709 of gpu0.
func TestFirstAgentForAMDGPU(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(reference.Need(t, "corpus", "archives"), "amdgpu-0.*"))
	s, src := readAll(t, files...)
	dashboard, err := s.Dashboard(t.Context(), src.ID, "gpu")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]float64{"temperature": 35.835271, "active": 7.171, "power": 20.839, "clock": 1600.709}
	for _, p := range dashboard.Panels {
		w, known := want[p.ID]
		if !known {
			continue
		}
		delete(want, p.ID)
		f, err := s.Fetch(t.Context(), api.Query{Source: src.ID, Metrics: []string{p.Series[0].Expression}, Pixels: 2, Statistics: &api.Range{}}, nil)
		if err != nil || f.Columns[0].Statistics == nil {
			t.Errorf("%s: %v", p.ID, err)
		} else if got := f.Columns[0].Statistics.Average; math.Abs(got-w) > 0.00051 {
			t.Errorf("%s of %s is %v, want %v", p.ID, f.Columns[0].Instance.Name, got, w)
		}
	}
	if len(want) > 0 {
		t.Errorf("there are no panels for %v", want)
	}
}
