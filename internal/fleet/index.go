package fleet

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"pcpscope/core/archive"
	"pcpscope/core/dashboard"
	"pcpscope/core/pcp"
	"pcpscope/internal/catalog"
)

// keptDays is for how many days the index keeps what it read, so that a late
// host does not require reading all others again.
const keptDays = 8

// Options say what to index.
type Options struct {
	Dir      string   // of the dataset
	Archives string   // address of the folder of the hosts, relative to the dataset; default "../"
	Metrics  []string // those with every series kept; default dashboard.FleetMetrics
	Lanes    int      // how many hosts are read in parallel; default: the number of CPUs
	Progress func(done, of int)
}

// A Report says what a run did.
type Report struct {
	Hosts    int      `json:"hosts"`
	Days     int      `json:"days"`
	Read     int      `json:"read"`  // host-days that were read
	Same     int      `json:"same"`  // host-days that had not changed
	Bytes    int64    `json:"bytes"` // of all current files
	Files    int      `json:"files"`
	Problems []string `json:"problems"`          // what could not be read: sentences, by day and host
	Notes    []string `json:"notes"`             // what is wrong with what was read
	Without  []string `json:"without,omitempty"` // metrics of Options of which no archive has numbers, where all were read
}

// A task is one day in UTC with the archives of each host.
type task struct {
	day   string
	hosts []*piece
}

// A piece is the archives of a host that touch a day.
type piece struct {
	host     string
	archives []catalog.Day
	print    string // fingerprint
}

// Index brings a dataset up to date. The manifest is written after each day, so
// that the work of an interrupted run is not lost.
func Index(ctx context.Context, src Source, o Options) (report Report, err error) {
	asked := o.Metrics
	o.setDefaults()
	report.Problems, report.Notes = []string{}, []string{}
	st := &store{dir: o.Dir}
	if err := st.lock(); err != nil {
		return report, err
	}
	defer st.unlock()
	x := indexing{src: src, o: o, st: st, m: newManifest(o.Archives, o.Metrics), report: &report, logged: map[string]bool{}}
	before, err := st.manifest()
	switch {
	case err != nil:
		report.Problems = append(report.Problems, err.Error()+"; the dataset is written anew.")
	case before != nil && sameMeasures(before, x.m):
		x.m.Hosts, x.m.Days = before.Hosts, before.Days
	}
	tasks, problems, err := tasksOf(ctx, src, o.Metrics)
	report.Problems = append(report.Problems, problems...)
	if f, local := src.(folder); local {
		report.Problems = append(report.Problems, f.leftOut()...)
	}
	if err != nil {
		return report, err
	}
	if len(problems) == 0 { // otherwise a host that did not answer may still have them
		x.m.forget(tasks)
	}
	for _, t := range tasks {
		x.total += len(t.hosts)
	}
	for i, t := range tasks {
		if err := x.day(ctx, t, len(tasks)-i <= keptDays); err != nil {
			return report, err
		}
	}
	for _, name := range asked {
		if !x.logged[name] && report.Read > 0 && report.Same == 0 { // days that have not changed may have it
			report.Without = append(report.Without, name)
		}
	}
	if st.made && len(x.m.Days) == 0 {
		return report, nil // a folder in which there is nothing to index is most likely not the one that was meant
	}
	if err := st.putManifest(x.m); err != nil {
		return report, err
	}
	report.Hosts, report.Days = len(x.m.Hosts), len(x.m.Days)
	for i := range x.m.Days {
		for _, f := range x.m.Days[i].files() {
			report.Files++
			report.Bytes += f.Bytes
		}
	}
	return report, st.tidy(x.m)
}

func (o *Options) setDefaults() {
	o.Archives = cmp.Or(o.Archives, "../")
	if o.Metrics == nil {
		o.Metrics = dashboard.FleetMetrics()
	}
	o.Metrics = slices.Compact(slices.Sorted(slices.Values(o.Metrics)))
	if o.Lanes <= 0 {
		o.Lanes = runtime.GOMAXPROCS(0)
	}
}

// An indexing is a dataset being brought up to date.
type indexing struct {
	src    Source
	o      Options
	st     *store
	m      *Manifest
	report *Report
	logged map[string]bool // metrics that what was read has series of

	mu          sync.Mutex
	done, total int // days of hosts
}

// step reports progress: n more days of hosts are done.
func (x *indexing) step(n int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.done += n; x.o.Progress != nil {
		x.o.Progress(x.done, x.total)
	}
}

// day brings a day up to date. What was read of it is kept if keeps: see keptDays.
func (x *indexing) day(ctx context.Context, t *task, keeps bool) error {
	at, found := slices.BinarySearchFunc(x.m.Days, t.day, func(d Day, day string) int { return cmp.Compare(d.Day, day) })
	if found && x.m.Days[at].Fingerprint == t.print() && x.st.there(&x.m.Days[at]) {
		if !keeps {
			x.m.Days[at].Kept = nil
		}
		x.report.Same += len(t.hosts)
		x.step(len(t.hosts))
		return nil
	}
	var old *Day
	if found {
		old = &x.m.Days[at]
	}
	list, read, err := t.read(ctx, x.src, x.st, old, x.o, x.step)
	if err != nil {
		return err
	}
	x.report.Read += read
	x.report.Same += len(t.hosts) - read
	list = slices.DeleteFunc(list, (*HostDay).empty)
	if len(list) == 0 {
		if found {
			x.m.Days = slices.Delete(x.m.Days, at, at+1)
		}
		return nil
	}
	for _, h := range list {
		for _, one := range h.Series {
			x.logged[one.Metric] = x.logged[one.Metric] || !one.Measure
		}
		switch about := fmt.Sprintf("%s, %s: %s", h.Host, t.day, h.Problem); {
		case h.Unread:
			x.report.Problems = append(x.report.Problems, about)
		case h.Problem != "":
			x.report.Notes = append(x.report.Notes, about)
		}
		x.m.addHost(h)
	}
	d, err := x.st.day(t, x.m.Measures, list, keeps)
	if err != nil {
		return err
	}
	if found {
		x.m.Days[at] = d
	} else {
		x.m.Days = slices.Insert(x.m.Days, at, d)
	}
	return x.st.putManifest(x.m)
}

// tasksOf lays out the days of all hosts. A host whose archives cannot be
// listed is left out and reported.
func tasksOf(ctx context.Context, src Source, metrics []string) (tasks []*task, problems []string, err error) {
	hosts, err := src.Hosts(ctx)
	if err != nil {
		return nil, nil, err
	}
	days := map[string]*task{}
	for _, line := range hosts {
		h, err := src.Host(ctx, line.Host)
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if err != nil || h == nil {
			problems = append(problems, fmt.Sprintf("%s: %v", line.Host, cmp.Or(err, errors.New("it has no archives any more"))))
			continue
		}
		for _, d := range h.Days {
			for _, day := range touched(d) {
				if days[day] == nil {
					days[day] = &task{day: day}
				}
				t := days[day]
				if n := len(t.hosts); n == 0 || t.hosts[n-1].host != line.Host {
					t.hosts = append(t.hosts, &piece{host: line.Host})
				}
				p := t.hosts[len(t.hosts)-1]
				p.archives = append(p.archives, d)
			}
		}
	}
	for _, t := range days {
		for _, p := range t.hosts {
			p.sum(t.day, metrics)
		}
		slices.SortFunc(t.hosts, func(a, b *piece) int { return cmp.Compare(a.host, b.host) })
		tasks = append(tasks, t)
	}
	slices.SortFunc(tasks, func(a, b *task) int { return cmp.Compare(a.day, b.day) })
	return tasks, problems, nil
}

// maxTouched is the most days that the archives of one day of the catalogue
// can touch, since the index may be wrong.
const maxTouched = 400

// touched lists the days in UTC that archives touch: without index information,
// those around their date.
func touched(d catalog.Day) (list []string) {
	from, err1 := time.Parse(time.RFC3339Nano, d.Start)
	to, err2 := time.Parse(time.RFC3339Nano, d.End)
	if err1 != nil || err2 != nil {
		day, err := startOf(d.Day)
		if err != nil {
			return nil
		}
		from, to = day.AddDate(0, 0, -1), day.AddDate(0, 0, 1)
	}
	for at := from.UTC().Truncate(24 * time.Hour); !at.After(to) && len(list) < maxTouched; at = at.AddDate(0, 0, 1) {
		list = append(list, at.Format(time.DateOnly))
	}
	return list
}

// sum computes the fingerprint.
func (p *piece) sum(day string, metrics []string) {
	sum := sha256.New()
	fmt.Fprintln(sum, meaning, day, p.host, strings.Join(metrics, " "))
	for _, d := range p.archives {
		fmt.Fprintln(sum, d.Fingerprint)
	}
	p.print = hex.EncodeToString(sum.Sum(nil)[:8])
}

func (t *task) print() string {
	sum := sha256.New()
	for _, p := range t.hosts {
		fmt.Fprintln(sum, p.host, p.print)
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}

// read returns the day of each host: what was kept if nothing has changed,
// otherwise from the archives.
func (t *task) read(ctx context.Context, src Source, st *store, old *Day, o Options, step func(int)) (list []*HostDay, read int, err error) {
	known := map[string]*HostDay{}
	if old != nil && old.Kept != nil {
		if data, err := st.read(*old.Kept); err == nil {
			was, err := kept(data)
			if err == nil {
				for _, h := range was {
					known[h.Fingerprint] = h
				}
			}
		}
	}
	list = make([]*HostDay, len(t.hosts))
	failures := make([]error, len(t.hosts))
	var wg sync.WaitGroup
	lanes := make(chan struct{}, o.Lanes)
	for i, p := range t.hosts {
		if h := known[p.print]; h != nil && h.Host == p.host {
			h.day = t.day
			list[i] = h
			step(1)
			continue
		}
		read++
		lanes <- struct{}{}
		wg.Go(func() {
			list[i], failures[i] = p.read(ctx, src, t.day, o.Metrics)
			<-lanes
			step(1)
		})
	}
	wg.Wait()
	return list, read, errors.Join(failures...)
}

func (p *piece) read(ctx context.Context, src Source, day string, metrics []string) (h *HostDay, err error) {
	h = &HostDay{day: day, Host: p.host, Fingerprint: p.print, Labels: "{}"}
	defer func() { // one host's files must not end the work on all others
		if e := recover(); e != nil {
			err = failed(ctx, h, pcp.Panicked("indexing "+p.host+", "+day, e))
		}
	}()
	var files []catalog.File
	for _, d := range p.archives {
		files = append(files, d.Files...)
		for _, f := range d.Files {
			if base := path.Join(p.host, archive.Base(f.Name)); !slices.Contains(h.Archives, base) {
				h.Archives = append(h.Archives, base)
			}
		}
	}
	slices.Sort(h.Archives)
	paths, done, err := src.Paths(ctx, p.host, files)
	if err != nil {
		return h, failed(ctx, h, err)
	}
	defer done()
	return h, readHostDay(ctx, h, day, paths, metrics)
}

// day writes the files of a day.
func (s *store) day(t *task, measures []Measure, list []*HostDay, keeps bool) (d Day, err error) {
	d = Day{Day: t.day, Hosts: len(list), Fingerprint: t.print()}
	put := func(kind string, data []byte, failed error) File {
		if err == nil {
			err = failed
		}
		if err != nil {
			return File{}
		}
		var f File
		f, err = s.write(kind, t.day, data)
		return f
	}
	table, rows, failed := hourly(list)
	d.Rows, d.Hourly = rows, put("hourly", table, failed)
	table, rows, failed = findings(list)
	d.Found, d.Findings = rows, put("findings", table, failed)
	table, failed = coverage(list)
	d.Coverage = put("coverage", table, failed)
	table, d.Lengths, failed = page(t.day, measures, list)
	d.Page = put("page", table, failed)
	if keeps && err == nil {
		table, failed = keep(list)
		f := put("kept", table, failed)
		d.Kept = &f
	}
	return d, err
}

func (s *store) putManifest(m *Manifest) error {
	text, err := m.text()
	if err != nil {
		return err
	}
	return s.put(ManifestName, text)
}

// addHost records what a day says about its host, unless a later day did.
func (m *Manifest) addHost(h *HostDay) {
	one := Host{Host: h.Host, Timezone: h.Timezone, Last: h.day}
	if h.Name != h.Host {
		one.Name = h.Name
	}
	if h.Labels != "{}" {
		one.Labels = json.RawMessage(h.Labels)
	}
	at, found := slices.BinarySearchFunc(m.Hosts, h.Host, func(x Host, name string) int { return cmp.Compare(x.Host, name) })
	switch {
	case !found:
		m.Hosts = slices.Insert(m.Hosts, at, one)
	case m.Hosts[at].Last <= h.day:
		m.Hosts[at] = one
	}
}

// forget removes hosts and days that no longer exist.
func (m *Manifest) forget(tasks []*task) {
	days, hosts := map[string]bool{}, map[string]bool{}
	for _, t := range tasks {
		days[t.day] = true
		for _, p := range t.hosts {
			hosts[p.host] = true
		}
	}
	m.Days = slices.DeleteFunc(m.Days, func(d Day) bool { return !days[d.Day] })
	m.Hosts = slices.DeleteFunc(m.Hosts, func(h Host) bool { return !hosts[h.Host] })
}
