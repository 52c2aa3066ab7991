package main

import (
	"os/exec"
	"strings"
	"time"
)

type toolTime struct {
	took    time.Duration
	command string
}

// measureTools times PCP's own tools over the unpacked archive, for the rows
// that they can answer. version is "" where they are not installed.
func measureTools(archive string, repeat int) (rows map[int]toolTime, version string) {
	rows = map[int]toolTime{}
	out, err := exec.Command("pmval", "--version").CombinedOutput()
	if err != nil {
		return rows, ""
	}
	commands := map[int][]string{
		2: {"pmval", "-z", "-a", archive, "-t", "13sec", firstMetric},
		3: {"pmval", "-z", "-a", archive, "-t", "60sec", manyMetric},
		4: {"pmval", "-z", "-a", archive, "-t", "13sec", nextMetric},
		5: {"pmlogsummary", "-z", archive},
	}
	for i, args := range commands {
		var took []time.Duration
		for range repeat {
			start := time.Now()
			if exec.Command(args[0], args[1:]...).Run() != nil {
				took = nil
				break
			}
			took = append(took, time.Since(start))
			if took[0] > 5*time.Second {
				break // once is enough
			}
		}
		if d := median(took); d > 0 {
			rows[i] = toolTime{d, strings.ReplaceAll(strings.Join(args, " "), archive, "ARCHIVE")}
		}
	}
	return rows, strings.TrimSpace(string(out))
}
