package analysis

import "testing"

// Where psinfo.cmd was not logged, the name of a process is in its command line: /proc/PID/stat
// has "postgres", "nginx", "bash" and "sshd" of these.
func TestProgramOfCommandLine(t *testing.T) {
	for line, want := range map[string]string{
		"postgres: writer process":   "postgres",
		"nginx: worker process":      "nginx",
		"-bash":                      "bash",
		"sshd: root@pts/0":           "sshd",
		"/usr/bin/python3 /opt/a: b": "python3",
		"/usr/lib/systemd/systemd":   "systemd",
		":":                          ":", "-": "-",
	} {
		p := &Processes{data: &processHost{names: map[int32]string{1: "000001 " + line}}}
		if got := p.command(0, 1, start); got != want {
			t.Errorf("of %q: %q, want %q", line, got, want)
		}
	}
}
