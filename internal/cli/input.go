package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"pcpscope/core"
	"pcpscope/core/api"
	"pcpscope/core/archive"
	"pcpscope/core/pcp"
)

// each opens the files named by the arguments, folder by folder, and calls f
// with every source once it has been read. Unreadable files are reported at the
// end and stop nothing; an error of f does, unless it is a fault of that
// source.
func (r *run) each(ctx context.Context, args []string, f func(s *core.Session, src api.Source) error) error {
	groups := r.folders(args)
	found, answered := false, false
	used := map[string]bool{} // files and folders from which something was read
	var unanswered error      // by a source which has no such metric, or nothing in the window
	r.apart = len(groups) > 1
	for _, g := range groups {
		s, sources, done := r.open(ctx, g)
		for _, src := range sources {
			found = true
			for _, name := range src.Members {
				for name = filepath.Clean(name); !used[name]; name = filepath.Dir(name) {
					used[name] = true
				}
			}
			err := f(s, src)
			if ctx.Err() != nil {
				done()
				return pcp.Faultf(pcp.Cancelled, "Stopped.")
			}
			answered = answered || err == nil
			if err != nil {
				kind := pcp.AsFault(err).Kind
				if kind == pcp.Internal || len(sources)+len(groups) == 2 {
					done()
					return err
				}
				if isWrong(kind) && unanswered == nil {
					unanswered = err
				}
				r.unreadable("%s: %v", r.called(src), err)
			}
			s.Close(src.ID)
		}
		done()
	}
	if !answered && unanswered != nil { // then it is the command line that is wrong
		r.notes = slices.DeleteFunc(r.notes, func(n string) bool { return strings.HasSuffix(n, unanswered.Error()) })
		return unanswered
	}
	if found {
		r.without(args, used)
	}
	if !found && r.status == Done {
		return pcp.Faultf(pcp.Unsupported, "There is no archive and no MMV file in %s.", strings.Join(args, ", "))
	}
	return nil
}

// without reports folders from which nothing was read, so that the others do not pass for all that
// was asked about.
func (r *run) without(args []string, used map[string]bool) {
	for _, arg := range args {
		if info, err := os.Stat(arg); err == nil && info.IsDir() && !used[filepath.Clean(arg)] {
			r.unreadable("There is no archive and no MMV file in %s.", arg)
		}
	}
}

// eachIn is each for a question about a window: a source that has nothing in it is one that lacks
// an answer.
func (r *run) eachIn(ctx context.Context, w *window, args []string, f func(s *core.Session, src api.Source) error) error {
	return r.each(ctx, args, func(s *core.Session, src api.Source) error {
		if err := s.HaveRecords(src.ID, when(w.start), when(w.end), r.zoneName()); err != nil {
			return err
		}
		return f(s, src)
	})
}

// open opens files that belong together, and returns their sources once they
// have been read.
func (r *run) open(ctx context.Context, files []string) (s *core.Session, sources []api.Source, done func()) {
	s = core.NewSession(core.Options{Lanes: 2})
	opened, closer, err := s.OpenPath(ctx, r.progress, files...)
	if err != nil {
		r.unreadable("%v", err)
		return s, nil, func() {}
	}
	r.rejected(opened)
	r.apart = r.apart || slices.ContainsFunc(opened.Sources, func(src api.Source) bool { return folderOf(src) != folderOf(opened.Sources[0]) })
	for _, src := range opened.Sources {
		read, err := s.Loaded(ctx, src.ID, r.progress)
		if err != nil {
			r.unreadable("%s: %v", r.called(src), err)
			continue
		}
		r.problems(read)
		sources = append(sources, read)
	}
	return s, sources, func() { closer.Close() }
}

// rejected reports files that could not be read, but not those that are nothing of PCP's, unless
// they were named.
func (r *run) rejected(opened api.Opened) {
	for _, x := range opened.Rejected {
		if x.Fault.Kind != pcp.Unsupported || archive.IsComponent(x.Name) || slices.Contains(r.named, filepath.FromSlash(x.Name)) {
			r.unreadable("%s: %s", x.Name, x.Fault.Message)
		}
	}
}

// called is the name of a source where others may have the same: archives are
// named by day, in a folder for each host.
func (r *run) called(src api.Source) string {
	if r.apart {
		return filepath.Join(folderOf(src), src.Name)
	}
	return src.Name
}

// folderOf is the folder of a source's files, also one in a container.
func folderOf(src api.Source) string {
	if len(src.Members) == 0 {
		return ""
	}
	return filepath.Dir(filepath.FromSlash(src.Members[0]))
}

// problems reports damage of a source.
func (r *run) problems(src api.Source) {
	const limit = 5
	for i, p := range src.Problems {
		if i == limit {
			r.note("%s: %s; info --json lists all", r.called(src), pcp.Counted(len(src.Problems)-limit, "more problem", "more problems"))
			break
		}
		r.note("%s: %s", r.called(src), strings.TrimSpace(p.Message+" "+p.Done))
	}
}

// folders lists the files named by arguments, grouped by folder: the files of
// an archive, and the archives of a host.
func (r *run) folders(args []string) [][]string {
	var order []string
	files := map[string][]string{}
	for _, arg := range args {
		r.named = append(r.named, filepath.Clean(arg))
		list, err := core.FilesAt(arg)
		if err != nil {
			matches, failed := filepath.Glob(arg)
			if failed != nil || len(matches) == 0 {
				r.unreadable("%s", pcp.AsFault(err).Message)
				continue
			}
			for _, m := range matches {
				more, err := core.FilesAt(m)
				if err != nil {
					r.unreadable("%s", pcp.AsFault(err).Message)
				}
				list = append(list, more...)
			}
		}
		for _, f := range list {
			dir := filepath.Dir(f)
			if files[dir] == nil {
				order = append(order, dir)
			}
			if !slices.Contains(files[dir], f) {
				files[dir] = append(files[dir], f)
			}
		}
	}
	var groups [][]string
	for _, dir := range order {
		groups = append(groups, wholeArchives(dir, files[dir]))
	}
	return groups
}

// wholeArchives adds the other files of archives of which one was named: PCP's tools take any file of
// an archive for it. Of an archive of which several were named, just these are read, so that one can
// do without a damaged volume.
func wholeArchives(dir string, named []string) []string {
	count, own := map[string]int{}, map[string]bool{} // archives and files by their names in the folder
	for _, f := range named {
		count[archive.Base(filepath.Base(f))]++
		own[filepath.Base(f)] = true
	}
	alone := func(name string) bool {
		base := archive.Base(filepath.Base(name))
		return base != "" && count[base] == 1
	}
	if !slices.ContainsFunc(named, alone) {
		return named
	}
	around, err := os.ReadDir(dir)
	if err != nil {
		return named
	}
	all := slices.Clone(named)
	for _, d := range around {
		if !d.IsDir() && !own[d.Name()] && alone(d.Name()) {
			all = append(all, filepath.Join(dir, d.Name()))
		}
	}
	return all
}

// progress shows the progress of a call, on a terminal.
func (r *run) progress(p api.Progress) {
	if !r.Terminal || time.Since(r.drawn) < 200*time.Millisecond {
		return
	}
	text := p.Phase
	if p.Total > 0 {
		text += fmt.Sprintf(", %.0f %%", 100*p.Done/p.Total)
	}
	fmt.Fprintf(r.Err, "\r%-*s", r.wide, text)
	r.drawn, r.wide = time.Now(), len(text)
}

func (r *run) clearProgress() {
	if r.wide > 0 {
		fmt.Fprintf(r.Err, "\r%*s\r", r.wide, "")
		r.wide = 0
	}
}
