package export

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"

	"pcpscope/core/pcp"
)

// The encoding of calls to a sink in another worker, which makes files of them.
// For each call, a stream has a byte followed by the arguments: counts as
// varints, numbers as eight bytes, little-endian, the rest as JSON preceded by
// its length.
const (
	opSeries  = 'r'
	opSamples = 's'
	opExact   = 'x' // samples with digits
	opStrings = 't'
	opEvents  = 'e'
	opClose   = 'c'
)

// A Stream is a Sink that encodes its calls as bytes.
type Stream struct {
	w *bufio.Writer
	b []byte
}

// NewStream writes to w in pieces of the given size.
func NewStream(w io.Writer, piece int) *Stream { return &Stream{w: bufio.NewWriterSize(w, piece)} }

func (s *Stream) put(op byte, count int) {
	s.b = binary.AppendUvarint(append(s.b[:0], op), uint64(count))
	s.w.Write(s.b) // errors stick until Flush
}

func (s *Stream) json(v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	s.w.Write(binary.AppendUvarint(nil, uint64(len(text))))
	_, err = s.w.Write(text)
	return err
}

func (s *Stream) times(times []pcp.Time) {
	for _, t := range times {
		s.w.Write(binary.LittleEndian.AppendUint64(s.b[:0], uint64(t)))
	}
}

// Series implements Sink.
func (s *Stream) Series(row *Series) error {
	s.put(opSeries, 1)
	return s.json(row)
}

// Samples implements Sink.
func (s *Stream) Samples(times []pcp.Time, values []float64, exact []string) error {
	op := byte(opSamples)
	if exact != nil {
		op = opExact
	}
	s.put(op, len(times))
	s.times(times)
	var err error
	for _, v := range values {
		_, err = s.w.Write(binary.LittleEndian.AppendUint64(s.b[:0], math.Float64bits(v)))
	}
	if exact != nil {
		err = s.json(exact)
	}
	return err
}

// Strings implements Sink.
func (s *Stream) Strings(times []pcp.Time, values []string) error {
	s.put(opStrings, len(times))
	s.times(times)
	return s.json(values)
}

// Events implements Sink.
func (s *Stream) Events(list []Event) error {
	s.put(opEvents, len(list))
	return s.json(list)
}

// Close implements Sink.
func (s *Stream) Close() error {
	s.put(opClose, 0)
	return s.w.Flush()
}

// Feed replays the calls in a stream on a sink, up to its end, and closes the
// sink.
func Feed(r io.Reader, to Sink) error {
	f := feeding{r: bufio.NewReaderSize(r, 1<<16), to: to}
	for {
		done, err := f.step()
		if done || err != nil {
			return err
		}
	}
}

type feeding struct {
	r      *bufio.Reader
	to     Sink
	times  []pcp.Time
	values []float64
}

func (f *feeding) step() (done bool, err error) {
	op, err := f.r.ReadByte()
	if err != nil {
		return false, short(err)
	}
	n64, err := binary.ReadUvarint(f.r)
	if err != nil {
		return false, short(err)
	}
	n := int(n64)
	if op == opSamples || op == opExact || op == opStrings {
		f.times = f.times[:0]
		for range n {
			v, err := f.number()
			if err != nil {
				return false, err
			}
			f.times = append(f.times, pcp.Time(v))
		}
	}
	switch op {
	case opSeries:
		var row Series
		if err := f.json(&row); err != nil {
			return false, err
		}
		return false, f.to.Series(&row)
	case opSamples, opExact:
		f.values = f.values[:0]
		for range n {
			v, err := f.number()
			if err != nil {
				return false, err
			}
			f.values = append(f.values, math.Float64frombits(v))
		}
		var exact []string
		if op == opExact {
			if err := f.json(&exact); err != nil {
				return false, err
			}
		}
		return false, f.to.Samples(f.times, f.values, exact)
	case opStrings:
		var values []string
		if err := f.json(&values); err != nil {
			return false, err
		}
		return false, f.to.Strings(f.times, values)
	case opEvents:
		var list []Event
		if err := f.json(&list); err != nil {
			return false, err
		}
		return false, f.to.Events(list)
	case opClose:
		return true, f.to.Close()
	}
	return false, fmt.Errorf("a stream of observations has %q where a call begins", op)
}

func (f *feeding) number() (uint64, error) {
	var b [8]byte
	_, err := io.ReadFull(f.r, b[:])
	return binary.LittleEndian.Uint64(b[:]), short(err)
}

func (f *feeding) json(to any) error {
	n, err := binary.ReadUvarint(f.r)
	if err != nil {
		return short(err)
	}
	text, err := io.ReadAll(io.LimitReader(f.r, int64(n)))
	if err == nil && uint64(len(text)) < n {
		err = io.EOF
	}
	if err != nil {
		return short(err)
	}
	return json.Unmarshal(text, to)
}

// short is the error of a stream that ends before it was closed.
func short(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
