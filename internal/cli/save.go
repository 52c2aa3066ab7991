package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pcpscope/core"
	"pcpscope/core/api"
	"pcpscope/core/archive"
	"pcpscope/core/pcp"
	"pcpscope/core/save"
)

func (r *run) save() *cobra.Command {
	c := &cobra.Command{
		Use:   "save -o OUTPUT ARCHIVE...",
		Short: "Write an archive: cut, joined, thinned, repaired, names replaced",
		Long: `Writes what is open as a PCP archive. OUTPUT ending in .tar or .zip is one file, anything else the base name of
the archive's files. The archives of a host in one folder are joined. Nothing that exists is overwritten without --force, which replaces
all files of an archive of that name, and files get their names when all of them are whole.`,
		Example: "  pcpscope save -o hour.tar -S @10:00 -T @11:00 web01\n  pcpscope save -o mended --repair damaged\n" +
			"  pcpscope save -o public.zip --redact --word acme web01",
	}
	var w window
	r.windowFlags(c, &w, false)
	f := c.Flags()
	output := f.StringP("output", "o", "", "output: NAME.tar, NAME.zip, or a base name")
	f.BoolVar(&r.force, "force", false, "overwrite what exists")
	var q api.SaveQuery
	f.StringArrayVarP(&q.Metrics, "metric", "m", nil, "a metric or a prefix of metric names; may be repeated")
	instances := instancesFlag(c)
	f.BoolVar(&q.Strict, "strict", false, "leave out the last values before the window, which counters need")
	f.IntVar(&q.Version, "format", 0, "version of the archive, 2 or 3; default: that of the source")
	size := f.Int64("volume-size", 0, "size of data volumes in MiB (usually 100)")
	zstd := f.Bool("zstd", false, "compress with zstd")
	every := f.StringP("every", "t", "", `thin out to one value per interval, such as "10min"`)
	f.BoolVar(&q.Repair, "repair", false, "mend what PCP's tools complain of")
	redact := f.Bool("redact", false, "replace names and texts by pseudonyms")
	list := f.Bool("list", false, "with --redact: only list what would be replaced")
	var how api.Redact
	f.StringSliceVar(&how.Without, "keep", nil, "with --redact: kinds to keep: hosts, users, paths, …")
	f.StringArrayVar(&how.Words, "word", nil, "with --redact: an additional word, or /a pattern/")
	f.StringVar(&how.Key, "key", "", "with --redact: key of the pseudonyms; the same key gives the same pseudonyms")
	c.RunE = func(c *cobra.Command, args []string) error {
		if err := withRedact(c, *redact); err != nil {
			return err
		}
		if slices.ContainsFunc(how.Words, blank) || c.Flags().Changed("key") && blank(how.Key) {
			return wrong("save: --word and --key must not be empty") // as from an unset variable: the word would stay in the archive
		}
		if (*output == "") != *list {
			return wrong("save: -o says where to, and --list writes nothing")
		}
		if unusual(*output) {
			return wrong("save: %[1]s would be a base name, as of %[1]s.meta; one file is NAME.tar or NAME.zip, and --zstd compresses what is in it", *output)
		}
		if c.Flags().Changed("volume-size") && *size < 1 {
			return wrong("save: --volume-size is a number of MiB, from 1 on; it is %d", *size)
		}
		if !*list {
			if err := haveFolder(filepath.Dir(*output)); err != nil {
				return err
			}
		}
		saved, release := false, func() error { return nil }
		var storage dirStorage
		defer func() { os.RemoveAll(storage.dir) }() // nothing if it is ""
		err := r.eachIn(c.Context(), &w, args, func(s *core.Session, src api.Source) error {
			q := q
			q.Instances = *instances
			q.Source, q.Start, q.End, q.Zone, q.Every, q.VolumeSize = src.ID, when(w.start), when(w.end), r.zoneName(), when(*every), float64(*size)*(1<<20)
			if *zstd {
				q.Compress = "zstd"
			}
			if *redact {
				how := how
				q.Redact = &how
			}
			if *list {
				return r.listReplaced(c, s, src, q)
			}
			if saved {
				return wrong("%s is another source: what is saved in one archive is of one host. Name its files alone.", r.called(src))
			}
			finish, err := r.saveTo(c, s, src, q, *output, &storage)
			if err == nil {
				saved, release = true, finish
			}
			return err
		})
		if err != nil {
			return err
		}
		return release()
	}
	return c
}

// unusual reports whether an output that is no container has the name of a file of another kind.
func unusual(output string) bool {
	ext := strings.ToLower(filepath.Ext(output))
	if ext == ".tar" || ext == ".zip" {
		return filepath.Ext(output) != ext
	}
	return slices.Contains([]string{".tgz", ".txz", ".gz", ".xz", ".bz2", ".zst", ".meta", ".index"}, ext)
}

func blank(text string) bool { return strings.TrimSpace(text) == "" }

// withRedact refuses options that say how to replace names where none would be: whoever gives
// them takes the result for one to pass on.
func withRedact(c *cobra.Command, redact bool) error {
	for _, name := range []string{"list", "keep", "word", "key"} {
		if c.Flags().Changed(name) && !redact {
			return wrong("save: --%s goes with --redact", name)
		}
	}
	return nil
}

func (r *run) listReplaced(c *cobra.Command, s *core.Session, src api.Source, q api.SaveQuery) error {
	answer, err := s.Redaction(c.Context(), q, r.progress)
	if err != nil {
		return err
	}
	if r.json {
		return r.reply(&src, answer)
	}
	r.head(src)
	w := r.table()
	for _, x := range answer.List {
		if !x.On {
			fmt.Fprintf(w, "%s\tstay\n", x.Title)
			continue
		}
		fmt.Fprintf(w, "%s\t%d in %d places\n", x.Title, x.Texts, x.Places)
	}
	fmt.Fprintf(w, "\nkey %s\n%s\n", answer.Key, answer.NotLookedAt)
	return w.Flush()
}

// saveTo saves a source. The files get their names when release is called, once it is known that
// there is no other source.
func (r *run) saveTo(c *cobra.Command, s *core.Session, src api.Source, q api.SaveQuery, output string, storage *dirStorage) (release func() error, err error) {
	dir, base := filepath.Split(output)
	if dir == "" {
		dir = "."
	}
	q.Container = "files"
	for _, kind := range []string{"tar", "zip"} {
		if name, ok := strings.CutSuffix(base, "."+kind); ok {
			base, q.Container = name, kind
		}
	}
	q.Name = base
	if err := r.mayReplace(dir, base, q.Container); err != nil { // before the work
		return nil, err
	}
	if *storage, err = newDirStorage(dir); err != nil {
		return nil, err
	}
	files, report, err := s.Save(c.Context(), q, *storage, r.progress)
	if err != nil {
		os.RemoveAll(storage.dir)
		return nil, err
	}
	var names []string
	for _, f := range files {
		names = append(names, f.Name)
	}
	return func() error {
		if err := r.mayReplace(dir, archive.Base(names[0]), q.Container); err != nil {
			return err
		}
		if err := storage.release(dir, names, r.force); err != nil {
			return err
		}
		if err := removeOthers(dir, names); err != nil {
			return err
		}
		return r.saved(src, dir, names, report)
	}, nil
}

// saved says what was saved.
func (r *run) saved(src api.Source, dir string, names []string, report api.SaveReport) error {
	if r.json {
		return r.reply(&src, report)
	}
	for i, name := range names {
		names[i] = filepath.Join(dir, name)
	}
	loc := r.location(src)
	fmt.Fprintf(r.Out, "%s: %s of %s, %s to %s\n", strings.Join(names, " "), pcp.Counted(report.Records, "record", "records"), pcp.Counted(report.Metrics, "metric", "metrics"), stamp(report.Start, loc), stamp(report.End, loc))
	for _, n := range report.Notes {
		fmt.Fprintln(r.Out, n)
	}
	if report.Replaced != nil {
		fmt.Fprintln(r.Out, report.Replaced.NotLookedAt)
	}
	return nil
}

// mayReplace refuses to save if files of the same archive are there: also those that would not be
// overwritten, such as further volumes, would be part of what is saved.
func (r *run) mayReplace(dir, base, container string) error {
	if base == "" { // the name of the source, or that of a container
		return nil
	}
	if container != "files" {
		return free(filepath.Join(dir, base+"."+container), r.force)
	}
	for _, name := range filesOf(dir, base) {
		if err := free(filepath.Join(dir, name), r.force); err != nil {
			return err
		}
	}
	return nil
}

// removeOthers removes files of an archive that was replaced, and had more of them.
func removeOthers(dir string, saved []string) error {
	for _, name := range filesOf(dir, archive.Base(saved[0])) {
		if slices.Contains(saved, name) {
			continue
		}
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			return pcp.Faultf(pcp.Internal, "%v.", err)
		}
	}
	return nil
}

// filesOf lists the files in a folder that are parts of an archive.
func filesOf(dir, base string) (names []string) {
	list, err := os.ReadDir(dir)
	if err != nil || base == "" {
		return nil
	}
	for _, d := range list {
		if !d.IsDir() && archive.Base(d.Name()) == base {
			names = append(names, d.Name())
		}
	}
	return names
}

// A dirStorage keeps files in a folder of its own beside their destination, so
// that renaming gives them their final names.
type dirStorage struct{ dir string }

func newDirStorage(beside string) (dirStorage, error) {
	dir, err := os.MkdirTemp(beside, ".pcpscope-")
	if err != nil {
		return dirStorage{}, pcp.Faultf(pcp.Internal, "%v.", err)
	}
	return dirStorage{dir}, nil
}

// haveFolder refuses a folder that does not exist: a slip of the pen must not make one.
func haveFolder(dir string) error {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return pcp.Faultf(pcp.BadArgument, "There is no folder %s.", dir)
	}
	return nil
}

// makeFolder makes a folder in one that exists, unless it is there.
func makeFolder(dir string) (made bool, err error) {
	if err := haveFolder(filepath.Dir(filepath.Clean(dir))); err != nil {
		return false, err
	}
	err = os.Mkdir(dir, 0o777)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return false, pcp.Faultf(pcp.Internal, "%v.", err)
	}
	return err == nil, haveFolder(dir)
}

func (d dirStorage) path(name string) string { return filepath.Join(d.dir, name) }

// Create implements save.Storage.
func (d dirStorage) Create(name string) (io.WriteCloser, error) { return os.Create(d.path(name)) }

// Open implements save.Storage. The file is closed by the garbage collector.
func (d dirStorage) Open(name string) (io.ReaderAt, int64, error) {
	f, err := os.Open(d.path(name))
	if err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, 0, err
	}
	return f, info.Size(), nil
}

// Join implements save.Storage.
func (d dirStorage) Join(name string, pieces []save.Piece) (err error) {
	out, err := os.Create(d.path(name))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	for _, p := range pieces {
		if _, err := out.Write(p.Bytes); err != nil {
			return err
		}
		if p.File == "" {
			continue
		}
		f, err := os.Open(d.path(p.File))
		if err != nil {
			return err
		}
		_, err = io.Copy(out, f)
		f.Close()
		if err != nil {
			return err
		}
		os.Remove(d.path(p.File))
	}
	return nil
}

// release gives files their final names, in order: the metadata last.
func (d dirStorage) release(dir string, names []string, force bool) error {
	for _, name := range names {
		if err := free(filepath.Join(dir, name), force); err != nil {
			return err
		}
	}
	for _, name := range names {
		if err := os.Rename(d.path(name), filepath.Join(dir, name)); err != nil {
			return pcp.Faultf(pcp.Internal, "%v.", err)
		}
	}
	return nil
}

// free returns a fault if a name is taken, unless it may be overwritten.
func free(name string, force bool) error {
	if _, err := os.Lstat(name); !force && !errors.Is(err, fs.ErrNotExist) {
		return pcp.Faultf(pcp.BadArgument, "%s exists; --force overwrites it.", name)
	}
	return nil
}
