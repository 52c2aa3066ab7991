package analysis

import (
	"math"
	"math/rand/v2"
	"testing"

	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// workshop is a host on which jobs of a compiler and of a shell run one after
// the other, shorter than the interval between samples, beside a process that
// lives throughout. It returns what each really used, in seconds.
func workshop(seed uint64, rows int) (*processHost, map[string]float64) {
	rng := rand.New(rand.NewPCG(seed, 1))
	p := &processHost{names: map[int32]string{}}
	end := float64(rows-1) * 10
	truth := map[string]float64{}
	type job struct{ from, to, rate float64 }
	jobs := map[int32]job{}
	next := int32(1)
	add := func(name string, j job) {
		p.names[next], jobs[next] = "000001 "+name, j
		truth[name] += max(0, min(j.to, end)-max(j.from, 0)) * j.rate
		next++
	}
	add("server", job{-100, end + 100, 0.5})
	for _, kind := range []struct {
		name        string
		rate, long  float64
		lanes, rest int
	}{{"cc1plus", 1, 4, 2, 0}, {"sh", 0.3, 1, 1, 1}} {
		for range kind.lanes {
			for at := -20 * rng.Float64(); at < end; {
				long := kind.long * (0.25 + 1.5*rng.Float64())
				add(kind.name, job{at, at + long, kind.rate})
				at += long + float64(kind.rest)*kind.long*rng.Float64()
			}
		}
	}
	none := math.NaN()
	cpu, began, all := map[int32][]float64{}, map[int32][]float64{}, make([]float64, rows)
	for inst, j := range jobs {
		seen := false
		clock, start := make([]float64, rows), make([]float64, rows)
		for i := range rows {
			at := 10 * float64(i)
			all[i] += max(0, min(j.to, at)-max(j.from, 0)) * j.rate
			clock[i], start[i] = none, none
			if j.from <= at && at < j.to {
				clock[i], start[i], seen = 1000*j.rate*(at-j.from), 1000+j.from, true
			}
		}
		if seen {
			cpu[inst], began[inst] = clock, start
		}
	}
	uptime, idle := make([]float64, rows), make([]float64, rows)
	for i := range rows {
		uptime[i], idle[i] = 1000+10*float64(i), 4*10000*float64(i)-1000*all[i]
		all[i] *= 1000
	}
	d := counter(ms)
	p.cpu(4, float64(rows), 0)
	p.set("kernel.all.cpu.user", "", &d, all)
	p.set("kernel.all.cpu.idle", "", &d, idle)
	seconds := pcp.Units{Time: 1, TimeScale: pcp.Sec}
	p.set("kernel.all.uptime", "", &pcp.Desc{Type: pcp.Double, Sem: pcp.Instant, InDom: pcp.NullInDom, Units: seconds}, uptime)
	p.obs = map[string]*series.Observations{"psinfo.utime": observed(counter(ms), cpu, rows), "psinfo.start_time": observed(pcp.Desc{Type: pcp.Double, Sem: pcp.Discrete, Units: seconds}, began, rows)}
	return p, truth
}

// observed are values by instance and row, NaN where an instance is not there.
func observed(desc pcp.Desc, of map[int32][]float64, rows int) *series.Observations {
	o := &series.Observations{Desc: desc}
	for i := range rows {
		o.Times = append(o.Times, start+pcp.Time(i)*10e9)
	}
	for inst := int32(1); inst < 1e5; inst++ {
		s := series.Series{Inst: inst}
		for i, v := range of[inst] {
			switch there := v == v; {
			case there:
				s.Runs = append(s.Runs, series.Run{Row: uint32(i), Val: math.Float64bits(v)})
			case i > 0 && of[inst][i-1] == of[inst][i-1]:
				s.Runs = append(s.Runs, series.Run{Row: uint32(i) | series.Gone})
			}
		}
		if s.Runs != nil {
			o.Series = append(o.Series, s)
		}
	}
	return o
}

// What short-lived processes used is estimated without bias, and the truth is as
// often within the reported error as it should be: it is known here.
func TestShortLivedAreEstimated(t *testing.T) {
	const seeds, rows = 60, 61
	sum, truly, within := map[string]float64{}, map[string]float64{}, 0
	for seed := range uint64(seeds) {
		host, truth := workshop(seed, rows)
		p := NewHost(host).Processes()
		by := map[string]float64{}
		span := pcp.Span{Start: start, End: start + (rows-1)*10e9}
		p.listedBy(by, span)
		if v := by["server"]; math.Abs(v-truth["server"]) > 1e-6 {
			t.Fatalf("server, which is always there, is said to have used %v s of %v", v, truth["server"])
		}
		from, to := p.samplesIn(span)
		list := p.estimated("command", from, to)
		total := 0.0
		for _, e := range list {
			if e.Name == "server" {
				t.Errorf("an estimate of a process that never ended: %+v", e)
			}
			total += e.Seconds
			sum[e.Name] += e.Seconds
			if e.Name == "cc1plus" && math.Abs(by[e.Name]+e.Seconds-truth[e.Name]) <= 2*e.Error {
				within++
			}
		}
		if u := p.Use(span); total > u.Machine-u.Listed+1e-6 {
			t.Fatalf("%v s estimated, of %v that were not sampled", total, u.Machine-u.Listed)
		}
		for name, v := range truth {
			sum[name] += by[name]
			truly[name] += v
		}
	}
	for name, v := range truly {
		if got := sum[name]; math.Abs(got-v) > 0.1*v {
			t.Errorf("%s: %v s of %v on average", name, got/seeds, v/seeds)
		}
	}
	if within < seeds*9/10 { // of a normal distribution 95 % are within two standard errors
		t.Errorf("in %d of %d the truth is within two standard errors", within, seeds)
	}
}

// Where processes were sampled in the interval that they ran, nothing is left to
// estimate; where nothing tells how old they are, nothing is estimated.
func TestNothingToEstimate(t *testing.T) {
	host, _ := workshop(1, 31)
	delete(host.obs, "psinfo.start_time")
	p := NewHost(host).Processes()
	if list := p.estimated("command", 0, len(p.times)); len(list) > 0 {
		t.Errorf("without start times: %+v", list)
	}
	c, err := p.Consumers("cpu", "command", 7, pcp.Span{Start: start, End: start + 300e9}, anyBytes)
	if err != nil || c.Series[len(c.Series)-1].Kind != "in no sample" {
		t.Errorf("error %v, series %+v; want the last to be of processes in no sample", err, c.Series)
	}
}

// The layers of a chart add up to what the machine used, and the estimate with
// what is left to what was not sampled.
func TestEstimatedLayers(t *testing.T) {
	host, truth := workshop(3, 61)
	p := NewHost(host).Processes()
	c, err := p.Consumers("cpu", "command", 7, pcp.Span{Start: start + 1, End: start + 600e9}, anyBytes)
	if err != nil {
		t.Fatal(err)
	}
	sum, estimated := 0.0, 0.0
	for _, s := range c.Series {
		sum += s.Mean
		for i, v := range s.Values {
			if v < 0 {
				t.Errorf("%s %s: %v in sample %d", s.Kind, s.Name, v, i)
			}
		}
		if s.Kind == "estimated" && s.Name == "cc1plus" {
			if estimated = s.Mean; !(s.Error > 0 && s.Error < s.Mean) {
				t.Errorf("cc1plus %v ± %v %%", s.Mean, s.Error)
			}
		}
	}
	all := 0.0
	for _, v := range truth {
		all += v / 6 // percent of one CPU in 600 s
	}
	if math.Abs(sum-all) > 1e-6*all || estimated == 0 {
		t.Errorf("layers of %v %%, of %v; cc1plus %v", sum, all, estimated)
	}
}
