package save

import (
	"context"
	"io"
	"path"
	"strings"
	"time"
	"unicode/utf8"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/core/redact"
	"pcpscope/core/save/bundle"
	"pcpscope/core/save/job"
)

// Source writes a source, or the requested part of it, as an archive, and
// returns the files on the shelf: one, or those of the archive. If texts are
// replaced, the files are scanned for leftovers before they are returned.
func Source(ctx context.Context, j job.Job, shelf bundle.Shelf, progress func(api.Progress)) ([]bundle.Packed, api.SaveReport, error) {
	q, request := &j.Query, requestOf(&j)
	to := To{Shelf: shelf, Name: q.Name, Container: "tar"}
	switch q.Container {
	case "":
	case "files":
		to.Container = ""
	default:
		to.Container = q.Container
	}
	switch q.Compress {
	case "", "none":
	case "zstd":
		to.Zstd = true
	default:
		return nil, api.SaveReport{}, pcp.Faultf(pcp.BadArgument, "Volumes are compressed with zstd, not with %q.", q.Compress)
	}
	var table *redact.Table
	var check func(name string, r io.Reader) error
	if q.Redact != nil {
		var err error
		if table, request.Rewrite, err = redaction(ctx, &j, *q.Redact, progress); err != nil {
			return nil, api.SaveReport{}, err
		}
		check = table.Scan
		if to.Name != "" { // chosen by the user, but may still reveal something
			if err := table.ScanText("the file name "+to.Name, to.Name); err != nil {
				return nil, api.SaveReport{}, err
			}
		}
	}
	if to.Name == "" {
		to.Name = nameOf(&j, table)
	}
	var said struct { // last progress reported
		phase string
		at    time.Time
	}
	files, report, err := Pack(ctx, request, to, check, func(phase string, done, total int64) {
		if j.Yield != nil {
			j.Yield()
		}
		if progress != nil && (phase != said.phase || time.Since(said.at) >= 30*time.Millisecond) {
			said.phase, said.at = phase, time.Now()
			progress(api.Progress{Phase: phase, Done: float64(done), Total: float64(total)})
		}
	})
	if err != nil {
		return nil, api.SaveReport{}, err
	}
	out := api.SaveReport{Start: report.Start, End: report.End, Records: report.Records, Marks: report.Marks, Metrics: report.Metrics, Volumes: report.Volumes, Notes: report.Notes}
	if out.Notes == nil {
		out.Notes = []string{}
	}
	if table != nil {
		r := replacements(table)
		out.Replaced = &r
		for i, n := range out.Notes {
			out.Notes[i] = table.Text(n)
		}
	}
	return files, out, nil
}

// Redaction lists what Source would replace.
func Redaction(ctx context.Context, j job.Job, progress func(api.Progress)) (api.Redaction, error) {
	o := api.Redact{}
	if j.Query.Redact != nil {
		o = *j.Query.Redact
	}
	table, _, err := redaction(ctx, &j, o, progress)
	if err != nil {
		return api.Redaction{}, err
	}
	return replacements(table), nil
}

// RedactText makes in texts, such as a report or a session file, the
// replacements that Source makes with the same key.
func RedactText(ctx context.Context, j job.Job, texts []string, progress func(api.Progress)) ([]string, error) {
	if j.Query.Redact == nil {
		return nil, pcp.Faultf(pcp.BadArgument, "The query does not say what to replace.")
	}
	table, _, err := redaction(ctx, &j, *j.Query.Redact, progress)
	if err != nil {
		return nil, err
	}
	out := make([]string, len(texts))
	for i, t := range texts {
		out[i] = table.Document(t)
		if err := table.ScanText("the text", out[i]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func redaction(ctx context.Context, j *job.Job, o api.Redact, progress func(api.Progress)) (*redact.Table, Rewriter, error) {
	if progress != nil {
		progress(api.Progress{Phase: "looking for texts", Total: 1})
	}
	options := redact.Options{Words: o.Words, Key: o.Key, Compose: j.Compose}
	for _, k := range o.Without {
		options.Without = append(options.Without, redact.Kind(k))
	}
	table, err := redact.New(options)
	if err != nil {
		return nil, nil, err
	}
	for _, a := range j.Parts { // files are named after hosts and customers
		table.See(redact.PathName, path.Base(a.Name()))
	}
	rewrite, err := Redact(j.Parts, table, func() error {
		if j.Yield != nil {
			j.Yield()
		}
		if ctx.Err() != nil {
			return errStopped
		}
		return nil
	})
	return table, rewrite, err
}

func replacements(t *redact.Table) api.Redaction {
	r := api.Redaction{Key: t.Key(), List: []api.Replacement{}, NotLookedAt: "Numbers, times, time zones, and the names and units of PCP's own metrics stay as they are; what they may reveal was not checked."}
	for _, g := range t.Summary() {
		one := api.Replacement{Kind: string(g.Kind), Title: g.Title, On: g.On, Texts: g.Texts, Places: g.Places, Local: g.Local, Examples: []string{}}
		for _, e := range g.Examples {
			one.Examples = append(one.Examples, shown(e[0]), e[1])
		}
		r.List = append(r.List, one)
	}
	return r
}

// nameOf is the base name of the result: that of the source, or, where texts
// are replaced, of the host's pseudonym; and of the window.
func nameOf(j *job.Job, table *redact.Table) string {
	name := j.Name
	if table != nil {
		host := table.Replace(redact.HostName, j.Host)
		if host == "" {
			host = "archive"
		}
		name = host + "-" + j.Parts[0].Start().Std().Format("20060102")
	} else if len(j.Parts) > 1 {
		name = strings.ReplaceAll(name, " – ", "-")
	}
	if j.Start != 0 || j.End != 0 {
		name += "-" + j.Start.Std().Format("20060102.15.04.05")
	}
	return bundle.Name(name)
}

// requestOf is what Write is asked for.
func requestOf(j *job.Job) Request {
	q := &j.Query
	return Request{Parts: j.Parts, Start: j.Start, End: j.End, Every: j.Every, Strict: q.Strict, Metrics: q.Metrics, Instances: q.Instances,
		Version: q.Version, VolumeSize: int64(max(0, min(q.VolumeSize, 1<<50))), Repair: q.Repair}
}

// shown makes s valid UTF-8. Archives declare no encoding; what is not UTF-8 is
// read as Latin-1, which loses nothing.
func shown(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for i := range len(s) {
		b.WriteRune(rune(s[i]))
	}
	return b.String()
}
