package archive

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pcpscope/core/pcp"
	"pcpscope/internal/reference"
)

// TestBadArchives opens PCP's damaged archives. Expected numbers of records
// follow from the defects that spec/archive.md section 12 lists: what is undamaged in
// the volumes is read, whatever else is broken.
func TestBadArchives(t *testing.T) {
	dir := reference.Need(t, "corpus", "bad")
	version1 := "version 1, a format retired in 1998"
	want := map[string]struct {
		records int
		problem string // part of one of the sentences; "" for none at all
		refused string
	}{
		"20180608.04.23-01":       {records: 2, problem: "entry of the temporal index"},
		"20230506.20.02-01":       {records: 19, problem: "1 metric has values but no descriptor: 70.1.1."},
		"951127.23.01":            {refused: version1},
		"archive-20141125-000009": {records: 1491, problem: "not of the type in their descriptor"},
		"archive-20150417.131733": {records: 50, problem: "1,664 zero bytes"},
		"badlabel-0":              {records: 9},
		"badlabel-1":              {records: 9, problem: "0xdeadbe02"},
		"badlabel-2":              {records: 9, problem: "archive version 0"},
		"badlen-1":                {records: 9, problem: "132 at its start, 128 at its end"},
		"badlen-11":               {problem: "1 stray byte is left at the end of the volume."},
		"badlen-3":                {problem: "120 of its 132 bytes"},
		"badlen-5":                {problem: "ends after 42 bytes, inside its label"},
		"badlen-8":                {records: 9, problem: "archive version 255"},
		"badlog-2":                {records: 9},
		"badmeta-2":               {records: 9, problem: "sample.drift"},
		"badmeta-5":               {records: 9, problem: "byte 76 of 72"},
		"badmeta-7":               {records: 22, problem: "18 metadata records are of the other archive version"},
		"badti-1":                 {records: 9, problem: "ends inside an entry"},
		"badti-3":                 {records: 9, problem: "1 entry of the temporal index cannot be true."},
		"badti-4":                 {records: 9, problem: "temporal index"},
		"bigace":                  {refused: version1},
		"bozo.client":             {refused: version1},
		"bug":                     {refused: version1},
		"corrupted_labelset":      {records: 2, problem: "2,415 bytes"},
		"empty":                   {refused: "empty"},
		"err_v1":                  {refused: version1},
		"ok-truncbin":             {records: 416, problem: "344 of its 492 bytes"},
		"old611":                  {records: 42},
	}
	for name, g := range groups(t, dir) {
		w, listed := want[name]
		if !listed {
			t.Errorf("%s: no expectation for this archive", name)
			continue
		}
		a, err := Open(context.Background(), g)
		if w.refused != "" {
			if err == nil || !strings.Contains(err.Error(), w.refused) {
				t.Errorf("%s: error %v, want %q", name, err, w.refused)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if err := a.Load(context.Background(), nil); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		check(t, name+" records", len(a.Records()), w.records)
		if len(a.Metrics()) == 0 {
			t.Errorf("%s: no metrics", name)
		}
		problems := ""
		for _, p := range a.Problems() {
			problems += p.Error() + "\n"
			if one := strings.HasPrefix(p.Message, "1 "); one && (strings.HasPrefix(p.Done, "They ") || strings.Contains(p.Done, " them")) || !one && strings.HasPrefix(p.Done, "It ") {
				t.Errorf("%s: %q, and %q", name, p.Message, p.Done)
			}
		}
		if w.problem == "" && problems != "" || !strings.Contains(problems, w.problem) {
			t.Errorf("%s: problems %q, want %q", name, problems, w.problem)
		}
	}
}

// TestGoodArchivesHaveNoProblems allows only what PCP's own tools report too.
func TestGoodArchivesHaveNoProblems(t *testing.T) {
	known := map[string]string{
		"gfs": "stamped with times before", // spec/archive.md section 11
		// What the archive's makers did to them is in their problems' text.
		"tzchange-11-a": "", "logsummary-bug": "",
	}
	dirs := []string{testdata + "live"}
	if dir := reference.Path("corpus", "archives"); dir != "" {
		dirs = append(dirs, dir)
	}
	for _, dir := range dirs {
		for name, g := range groups(t, dir) {
			a := load(t, g)
			for _, p := range a.Problems() {
				if allowed, ok := known[name]; !ok || !strings.Contains(p.Message, allowed) {
					t.Errorf("%s: %s", name, p.Error())
				}
			}
		}
	}
}

// TestCheckFindsWhatPmlogcheckFinds compares which metrics and which index
// entries are reported.
func TestCheckFindsWhatPmlogcheckFinds(t *testing.T) {
	reference.Program(t, "pmlogcheck")
	var dirs []string
	for _, kind := range []string{"bad", "archives"} {
		if dir := reference.Path("corpus", kind); dir != "" {
			dirs = append(dirs, dir)
		}
	}
	theirs := regexp.MustCompile(`(?m)\.(?:meta: \S+ \[(\d+\.\d+\.\d+)\]|index\[(entry \d+)\])`)
	ours := regexp.MustCompile(`The metric \S+ \((\d+\.\d+\.\d+)\)|(?i)(entry \d+) of the temporal index`)
	n := 0
	for _, dir := range dirs {
		for name, g := range groups(t, dir) {
			a, err := Open(context.Background(), g)
			if err != nil {
				continue
			}
			a.Load(context.Background(), nil)
			found, err := a.Check(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			var text strings.Builder
			for _, f := range found {
				text.WriteString(f.Message + "\n")
			}
			report, done := reference.Pmlogcheck(t, dir, name)
			if !done {
				continue // it gave up
			}
			want, got := names(theirs, report), names(ours, text.String())
			if !slices.Equal(got, want) {
				t.Errorf("%s: found %v, pmlogcheck %v", name, got, want)
			}
			n++
		}
	}
	t.Logf("%d archives compared with pmlogcheck", n)
}

// names returns the first group of each match that is not empty, sorted.
func names(re *regexp.Regexp, text string) []string {
	var list []string
	for _, m := range re.FindAllStringSubmatch(text, -1) {
		list = append(list, strings.ToLower(m[1]+m[2]))
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// TestBrokenOnPurpose damages a good archive in one place at a time.
func TestBrokenOnPurpose(t *testing.T) {
	base := small(t)
	whole := load(t, base.group("a"))
	records := whole.Records()
	n := len(records)
	for _, tt := range []struct {
		name    string
		damage  func(m memory)
		records int
		problem string
		lost    bool
	}{
		{"last record cut", func(m memory) { m["0"].Truncate(m["0"].Len() - 3) }, n - 1, "ends inside a record", true},
		{"last volume cut between records", func(m memory) { m["2"].Truncate(int(records[n-5].Offset)) }, n - 5, "The volume ends after ", true},
		{"length word", func(m memory) { m["0"].Bytes()[records[3].Offset+1] = 0x55 }, n - 1, "data here are damaged", true},
		{"both length words", func(m memory) {
			b := m["0"].Bytes()
			b[records[3].Offset+2] ^= 4
			b[records[4].Offset-2] ^= 4
		}, n - 1, "", true},
		{"number of sets", func(m memory) { m["0"].Bytes()[records[3].Offset+12] = 0x7f }, n - 1, "value sets", true},
		{"value index", func(m memory) { m["0"].Bytes()[records[5].Offset+32] = 0x7f }, n - 1, "", true},
		{"bytes inserted", func(m memory) {
			b := slices.Insert(slices.Clone(m["0"].Bytes()), int(records[4].Offset)+9, 1, 2, 3)
			m["0"].Reset()
			m["0"].Write(b)
		}, n - 1, "data here are damaged", true},
		{"stamp far ahead", func(m memory) { m["0"].Bytes()[records[4].Offset+4] = 0x7f }, n - 1, "later than the records behind it", true},
		{"stamp far back", func(m memory) { m["0"].Bytes()[records[4].Offset+4] = 0x10 }, n - 1, "before those already read", true},
		{"no index", func(m memory) { delete(m, "index") }, n, "", false},
		{"no metadata", func(m memory) { delete(m, "meta") }, n, "a.meta, were not given", false},
		{"metadata cut", func(m memory) { m["meta"].Truncate(m["meta"].Len() - 5) }, n, "ends inside", false},
		{"empty metadata", func(m memory) { m["meta"].Reset() }, n, "The file is empty", false},
		{"empty index", func(m memory) { m["index"].Reset() }, n, "temporal index is empty", false},
		{"a middle volume missing", func(m memory) { delete(m, "1") }, n - 10, "Data volume a.1 of the archive was not given", true},
		{"the first volume missing", func(m memory) { delete(m, "0") }, n - 10, "Data volume a.0 of the archive was not given", true},
		{"the last volume missing", func(m memory) { delete(m, "2") }, n - 10, "a.2 of the archive was not given", true},
		{"no volume", func(m memory) { delete(m, "0"); delete(m, "1"); delete(m, "2") }, 0, "No data volume", true},
		{"label of a volume", func(m memory) { m["1"].Bytes()[6] = 9 }, n, "magic number", false},
	} {
		m := small(t)
		tt.damage(m)
		a, err := Open(context.Background(), m.group("a"))
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if err := a.Load(context.Background(), nil); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		check(t, tt.name+": records", len(a.Records()), tt.records)
		problems, lost := "", false
		for _, p := range a.Problems() {
			problems += p.Error() + " (" + p.Done + ")\n"
			lost = lost || p.Lost != nil
		}
		if !strings.Contains(problems, tt.problem) {
			t.Errorf("%s: problems %q, want %q", tt.name, problems, tt.problem)
		}
		check(t, tt.name+": a loss in time is told", lost, tt.lost)
		if strings.Contains(tt.name, "volume missing") {
			check(t, tt.name+": gaps", len(a.Gaps()), 1)
		}
	}
}

// small makes an archive of three volumes with ten records each.
func small(t testing.TB) memory {
	t.Helper()
	m := memory{}
	start := 1_700_000_000 * second
	w, err := NewWriter(Label{Version: 2, PID: 1, Start: start, Host: "h", Timezone: "UTC"}, m.create)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		d := pcp.Desc{PMID: pcp.MakePMID(60, 0, i), Type: pcp.Uint64, InDom: pcp.NullInDom, Sem: pcp.Counter}
		w.Desc(d, "m."+string(rune('a'+i)))
	}
	for i := range 30 {
		if i%10 == 0 && i > 0 {
			w.NextVolume()
		}
		var sets []ValueSet
		for k := range 3 {
			sets = append(sets, ValueSet{PMID: pcp.MakePMID(60, 0, k), Type: pcp.Uint64, Values: []Value{{Inst: -1, Val: uint64(i * (k + 1))}}})
		}
		w.Record(start+pcp.Time(i)*second, sets)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return m
}

// TestBorrow reads volumes without metadata by those of another archive.
func TestBorrow(t *testing.T) {
	for _, version := range []int{2, 3} {
		b, err := Open(context.Background(), varied(t, version).group("day1"))
		if err != nil {
			t.Fatal(err)
		}
		m := varied(t, version)
		delete(m, "meta")
		a, err := Open(context.Background(), m.group("day2"))
		if err != nil {
			t.Fatal(err)
		}
		check(t, "borrowed", a.BorrowMetadata(b), true)
		if err := a.Load(context.Background(), nil); err != nil {
			t.Fatal(err)
		}
		got, ok := a.Lookup("disk.dev.read")
		if !ok || got.Desc != reads {
			t.Fatalf("disk.dev.read is %v", got)
		}
		list, _ := a.Instances(indom)
		check(t, "instances", len(list), 3)
		check(t, "instance is never gone", list[0].Gone, false)
		obs, _ := a.Observations(reads.PMID)
		whole, _ := load(t, varied(t, version).group("a")).Observations(reads.PMID)
		if !sameObservations(obs, whole) {
			t.Error("other values than with its own metadata")
		}
		if p := a.Problems(); len(p) != 1 || !strings.Contains(p[0].Done, "taken from day1") {
			t.Errorf("problems %v", p)
		}
		check(t, "a second time", a.BorrowMetadata(b), false)
	}
}

// TestCancel stops opening and loading.
func TestCancel(t *testing.T) {
	g := groups(t, testdata+"live")["web01-v2"]
	ctx, cancel := context.WithCancel(context.Background())
	a, err := Open(ctx, g)
	if err != nil {
		t.Fatal(err)
	}
	err = a.Load(ctx, func(done, total int64) { cancel() })
	if !errors.Is(err, &pcp.Fault{Kind: pcp.Cancelled}) {
		t.Errorf("Load: %v", err)
	}
	if err := a.Load(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	check(t, "records after a second call", len(a.Records()), len(load(t, g).Records()))
	check(t, "problems after a second call", len(a.Problems()), 0)
	if _, err := Open(ctx, g); !errors.Is(err, &pcp.Fault{Kind: pcp.Cancelled}) {
		t.Errorf("Open: %v", err)
	}
}
