package cli

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/spf13/cobra"

	"pcpscope/core/pcp"
	"pcpscope/internal/serve"
)

func (r *run) serve() *cobra.Command {
	c := &cobra.Command{
		Use:     "serve [FOLDER]",
		Short:   "The page on this machine, with a folder of archives",
		Example: "  pcpscope serve /var/log/pcp/pmlogger",
		Args:    cobra.MaximumNArgs(1),
	}
	address := c.Flags().String("listen", "127.0.0.1:8080", "address and port to listen on; port 0 selects a free one")
	site := c.Flags().String("site", "", "folder of the built site; default: the one inside the program")
	c.RunE = func(c *cobra.Command, args []string) error {
		dist, done, err := siteFolder(*site)
		if err != nil {
			return err
		}
		defer done()
		o := serve.Options{Dist: dist}
		if len(args) == 1 {
			o.Archives = args[0]
		}
		handler, err := serve.Handler(o)
		if err != nil {
			return pcp.Faultf(pcp.Internal, "%v.", err)
		}
		listener, err := net.Listen("tcp", *address)
		if err != nil {
			return pcp.Faultf(pcp.BadArgument, "%v.", err)
		}
		fmt.Fprintf(r.Err, "pcpscope is at http://%s/ (ctrl-C ends it)\n", listener.Addr())
		server := http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}
		go func() {
			<-c.Context().Done()
			server.Shutdown(context.Background())
		}()
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			return err
		}
		return nil
	}
	return c
}

// siteFolder finds the site: in the folder that was named, in the program, or
// in dist/ of a checkout.
func siteFolder(named string) (dir string, done func(), err error) {
	done = func() {}
	if named != "" {
		if _, err := os.Stat(filepath.Join(named, "index.html")); err != nil {
			return "", done, wrong("serve: --site names a folder with the page, and there is no index.html in %s", named)
		}
		return named, done, nil
	}
	if page == nil {
		if _, err := os.Stat(filepath.Join("dist", "index.html")); err == nil {
			return "dist", done, nil
		}
		return "", done, wrong("serve: this program was built without the page; --site names a folder with it, and ./build.sh cli builds programs that have it")
	}
	pages, err := zip.NewReader(bytes.NewReader(page), int64(len(page)))
	if err != nil {
		return "", done, err
	}
	pages.RegisterDecompressor(zstd.ZipMethodWinZip, zstd.ZipDecompressor())
	if dir, err = os.MkdirTemp("", "pcpscope-"); err != nil {
		return "", done, err
	}
	done = func() { os.RemoveAll(dir) }
	if err := os.CopyFS(dir, fs.FS(pages)); err != nil {
		done()
		return "", func() {}, err
	}
	return dir, done, nil
}

// page is the built site as a zip, if it was built into the program: see
// page_embedded.go.
var page []byte
