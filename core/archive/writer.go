package archive

import (
	"encoding/binary"
	"io"
	"strconv"

	"pcpscope/core/pcp"
)

// A Writer writes an archive. Metadata must be written before the records that
// need them, as pmlogger does. The first error sticks: it is returned by every
// later call and by Close.
type Writer struct {
	label  Label
	create func(suffix string) (io.WriteCloser, error)
	meta   file
	index  file
	data   file
	volume int
	err    error

	entryAt int64 // data offset of the last index entry
	metaAt  int64 // metadata offset of the last index entry
	last    pcp.Time
	records int
	buf     []byte
}

// file is one open file of the archive and the bytes written to it.
type file struct {
	w  io.WriteCloser
	at int64
}

// NewWriter begins an archive of the label's version, 2 or 3. create opens the
// file of a suffix: "meta", "index", "0" and so on. The label's volume number
// is ignored.
func NewWriter(label Label, create func(suffix string) (io.WriteCloser, error)) (*Writer, error) {
	if label.Version != 2 && label.Version != 3 {
		return nil, pcp.Faultf(pcp.BadArgument, "Archives are written in versions 2 and 3, not in %d.", label.Version)
	}
	w := &Writer{label: label, create: create, volume: -1}
	w.begin(&w.meta, "meta", volumeMeta)
	w.begin(&w.index, "index", volumeIdx)
	return w, w.err
}

// begin opens a file and writes its label.
func (w *Writer) begin(f *file, suffix string, volume int) {
	if w.err != nil {
		return
	}
	var err error
	if f.w, err = w.create(suffix); err != nil {
		w.err = err
		return
	}
	f.at = 0
	b := w.open()
	b = binary.BigEndian.AppendUint32(b, 0x50052600|uint32(w.label.Version))
	b = binary.BigEndian.AppendUint32(b, uint32(w.label.PID))
	b = w.time(b, w.label.Start)
	b = binary.BigEndian.AppendUint32(b, uint32(volume))
	if w.label.Version == 2 {
		b = padded(b, w.label.Host, 64)
		b = padded(b, w.label.Timezone, 40)
	} else {
		b = binary.BigEndian.AppendUint32(b, w.label.Features)
		b = binary.BigEndian.AppendUint32(b, 0)
		b = padded(b, w.label.Host, 256)
		b = padded(b, w.label.Timezone, 256)
		b = padded(b, w.label.Zoneinfo, 256)
	}
	w.finish(f, b)
}

// padded appends s in a field of n bytes that ends with a NUL.
func padded(b []byte, s string, n int) []byte {
	s = s[:min(len(s), n-1)]
	b = append(b, s...)
	return append(b, make([]byte, n-len(s))...)
}

// open starts a record, leaving space for its length.
func (w *Writer) open() []byte { return append(w.buf[:0], 0, 0, 0, 0) }

// finish adds the lengths around a record and writes it.
func (w *Writer) finish(f *file, b []byte) {
	b = append(b, 0, 0, 0, 0)
	binary.BigEndian.PutUint32(b, uint32(len(b)))
	binary.BigEndian.PutUint32(b[len(b)-4:], uint32(len(b)))
	w.write(f, b)
	w.buf = b
}

func (w *Writer) write(f *file, b []byte) {
	if w.err != nil {
		return
	}
	_, w.err = f.w.Write(b)
	f.at += int64(len(b))
}

// time appends a timestamp of the archive's version.
func (w *Writer) time(b []byte, t pcp.Time) []byte {
	sec, nsec := t.Split()
	if w.label.Version == 2 {
		b = binary.BigEndian.AppendUint32(b, uint32(sec))
		return binary.BigEndian.AppendUint32(b, uint32(nsec/1000))
	}
	b = binary.BigEndian.AppendUint32(b, uint32(sec)) // low word first
	b = binary.BigEndian.AppendUint32(b, uint32(uint64(sec)>>32))
	return binary.BigEndian.AppendUint32(b, uint32(nsec))
}

// Desc writes a descriptor with its names.
func (w *Writer) Desc(d pcp.Desc, names ...string) error {
	b := w.open()
	for _, v := range []uint32{typeDesc, uint32(d.PMID), uint32(d.Type), uint32(d.InDom), uint32(d.Sem), d.Units.Bits(), uint32(len(names))} {
		b = binary.BigEndian.AppendUint32(b, v)
	}
	for _, name := range names {
		b = binary.BigEndian.AppendUint32(b, uint32(len(name)))
		b = append(b, name...)
	}
	w.finish(&w.meta, b)
	return w.err
}

// InDom writes a full instance domain that applies from time t on.
func (w *Writer) InDom(t pcp.Time, id pcp.InDom, list []pcp.Instance) error {
	kind := uint32(typeInDom)
	if w.label.Version == 2 {
		kind = typeInDomV2
	}
	return w.inDom(kind, t, id, list, nil)
}

// InDomDelta writes what changes in an instance domain at time t; only version
// 3 has such records.
func (w *Writer) InDomDelta(t pcp.Time, id pcp.InDom, added []pcp.Instance, gone []int32) error {
	if w.label.Version == 2 && w.err == nil {
		w.err = pcp.Faultf(pcp.BadArgument, "Archives of version 2 have no delta instance domains.")
	}
	return w.inDom(typeInDomDelta, t, id, added, gone)
}

func (w *Writer) inDom(kind uint32, t pcp.Time, id pcp.InDom, list []pcp.Instance, gone []int32) error {
	b := binary.BigEndian.AppendUint32(w.open(), kind)
	b = w.time(b, t)
	b = binary.BigEndian.AppendUint32(b, uint32(id))
	b = binary.BigEndian.AppendUint32(b, uint32(len(list)+len(gone)))
	for _, inst := range list {
		b = binary.BigEndian.AppendUint32(b, uint32(inst.ID))
	}
	for _, id := range gone {
		b = binary.BigEndian.AppendUint32(b, uint32(id))
	}
	at := 0
	for _, inst := range list {
		b = binary.BigEndian.AppendUint32(b, uint32(at))
		at += len(inst.Name) + 1
	}
	for range gone {
		b = binary.BigEndian.AppendUint32(b, ^uint32(0))
	}
	for _, inst := range list {
		b = append(append(b, inst.Name...), 0)
	}
	w.finish(&w.meta, b)
	return w.err
}

// MetricText writes the help texts of a metric; empty ones are left out.
func (w *Writer) MetricText(id pcp.PMID, oneline, help string) error {
	return w.text(textMetric, uint32(id), oneline, help)
}

// InDomText writes the help texts of an instance domain.
func (w *Writer) InDomText(id pcp.InDom, oneline, help string) error {
	return w.text(textInDom, uint32(id), oneline, help)
}

func (w *Writer) text(object, id uint32, oneline, help string) error {
	for i, text := range []string{oneline, help} {
		if text == "" {
			continue
		}
		b := binary.BigEndian.AppendUint32(w.open(), typeText)
		b = binary.BigEndian.AppendUint32(b, object|uint32(i+1))
		b = binary.BigEndian.AppendUint32(b, id)
		b = append(append(b, text...), 0)
		w.finish(&w.meta, b)
	}
	return w.err
}

// Mark writes a mark record: no value carries over it.
func (w *Writer) Mark(t pcp.Time) error { return w.Record(t, nil) }

// NextVolume ends the current data volume; the next record begins another.
func (w *Writer) NextVolume() error {
	if w.err == nil && w.volume >= 0 {
		w.err = w.data.w.Close()
		w.data = file{}
	}
	return w.err
}

// VolumeSize returns how many bytes the data volume has so far.
func (w *Writer) VolumeSize() int64 { return w.data.at }

// Close completes the temporal index and closes all files. The metadata are
// finished last: without them no tool recognises the rest as an archive.
func (w *Writer) Close() error {
	if w.records > 0 && w.data.at > w.entryAt {
		w.entry(w.last)
	}
	for _, f := range []*file{&w.data, &w.index, &w.meta} {
		if f.w == nil {
			continue
		}
		if err := f.w.Close(); w.err == nil {
			w.err = err
		}
	}
	return w.err
}

// entry writes an entry of the temporal index for the current ends of the
// files.
func (w *Writer) entry(t pcp.Time) {
	b := w.time(w.buf[:0], t)
	b = binary.BigEndian.AppendUint32(b, uint32(w.volume))
	if w.label.Version == 2 {
		b = binary.BigEndian.AppendUint32(b, uint32(w.meta.at))
		b = binary.BigEndian.AppendUint32(b, uint32(w.data.at))
	} else {
		b = binary.BigEndian.AppendUint64(b, uint64(w.meta.at))
		b = binary.BigEndian.AppendUint64(b, uint64(w.data.at))
	}
	w.write(&w.index, b)
	w.entryAt, w.metaAt = w.data.at, w.meta.at
}

// volumeFor opens the next data volume if none is open.
func (w *Writer) volumeFor() {
	if w.data.w == nil {
		w.volume++
		w.begin(&w.data, strconv.Itoa(w.volume), w.volume)
		w.entryAt = -1 << 40
	}
}
