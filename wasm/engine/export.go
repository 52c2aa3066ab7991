package engine

import (
	"context"
	"io"

	"pcpscope/core/api"
	"pcpscope/core/export"
	"pcpscope/core/pcp"
	"pcpscope/core/save"
	"pcpscope/wasm/rpc"
)

// A TablesWriter turns a stream of observations (export.Feed) into files
// outside this program, which does not contain the code that writes Parquet.
type TablesWriter interface {
	io.Writer
	// Files returns the result after the stream has been closed.
	Files() ([]WrittenFile, error)
	Stop()
}

// A WrittenFile is a file made by a TablesWriter.
type WrittenFile struct {
	Name string
	Size int64
	CRC  uint32 // CRC-32, as in zips
	Data rpc.Blob
}

// WriteTablesWith sets the function that starts writing tables in one of the
// formats of core/tables.
func (s *Server) WriteTablesWith(start func(format string) (TablesWriter, error)) { s.tables = start }

func noTables() *pcp.Fault {
	return pcp.Faultf(pcp.Unsupported, "Tables are written in a separate worker, which cannot be started here; the command pcpscope convert writes the same tables.")
}

// pieceSize is the number of bytes passed to a TablesWriter at a time.
const pieceSize = 1 << 20

func (s *Server) export(ctx context.Context, q api.ExportQuery, p progress) (rpc.Exported, error) {
	none := rpc.Exported{}
	if s.tables == nil {
		return none, noTables()
	}
	if q.Format == "" {
		q.Format = "parquet"
	}
	switch q.Container {
	case "":
		q.Container = "tar"
	case "files":
		q.Container = ""
	case "tar", "zip":
	default:
		return none, pcp.Faultf(pcp.BadArgument, "Files are packed as tar or zip, not as %q.", q.Container)
	}
	name := q.Name
	if name == "" {
		for _, src := range s.session.Sources() {
			if src.ID == q.Source {
				name = src.Name
			}
		}
	}
	to, err := s.tables(q.Format)
	if err != nil {
		return none, err
	}
	defer to.Stop()
	stream := export.NewStream(to, pieceSize)
	report, err := s.session.Export(ctx, q, stream, p)
	if err != nil {
		return none, err
	}
	if err := stream.Close(); err != nil {
		return none, err
	}
	written, err := to.Files()
	if err != nil {
		return none, err
	}
	if ctx.Err() != nil {
		return none, pcp.Faultf(pcp.Cancelled, "Exporting was stopped.")
	}
	var kept Storage = memory{}
	if s.storage != nil {
		kept = s.storage()
	}
	var files []save.Packed
	for _, f := range written {
		kept.Put(f.Name, f.Data)
		files = append(files, save.Packed{Name: f.Name, Size: f.Size, CRC: f.CRC})
	}
	if files, err = save.Bundle(kept, save.Name(name)+"-"+q.Format, q.Container, files, report.End); err != nil {
		return none, err
	}
	out := rpc.Exported{Report: report}
	out.Files, err = takeFiles(kept, files)
	return out, err
}
