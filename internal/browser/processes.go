package browser

import (
	"context"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/systeminfo"
	"github.com/chromedp/chromedp"
)

// Use is the resource usage of the browser's processes.
type Use struct {
	CPU time.Duration // since each started
	// Bytes of memory in use, with shared pages divided among the processes
	// that share them, on Linux; 0 elsewhere.
	Memory   int64 // of all processes
	Renderer int64 // of those that run pages and their workers
}

// Use returns the browser's resource usage so far.
func (b *Browser) Use() (Use, error) {
	ctx, cancel := context.WithTimeout(b.ctx, Timeout)
	defer cancel()
	list, err := chromedp.CallBrowser(ctx, systeminfo.GetProcessInfo, cdp.Empty{})
	if err != nil {
		return Use{}, err
	}
	var u Use
	for _, p := range list.ProcessInfo {
		u.CPU += time.Duration(p.CPUTime * float64(time.Second))
		n := proportional(p.ID)
		u.Memory += n
		if p.Type == "renderer" {
			u.Renderer += n
		}
	}
	return u, nil
}

// proportional is the proportional set size of a process, in bytes: see
// proc_pid_smaps(5).
func proportional(pid int64) int64 {
	text, err := os.ReadFile("/proc/" + strconv.FormatInt(pid, 10) + "/smaps_rollup")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) == 3 && f[0] == "Pss:" {
			n, _ := strconv.ParseInt(f[1], 10, 64)
			return n << 10
		}
	}
	return 0
}
