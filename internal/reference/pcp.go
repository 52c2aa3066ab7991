package reference

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Pmrep finds PCP's own reporter: a Python program, which needs the Python that
// it was packaged for. It returns a function that runs a command line of it in
// a folder, and its version; the test is skipped if there is none.
func Pmrep(t testing.TB) (run func(dir, command string) ([]byte, error), version string) {
	t.Helper()
	Program(t, "pmrep")
	env, version := pmrep()
	if version == "" {
		t.Skip("0 compared: pmrep does not run: its Python module is missing")
	}
	return func(dir, command string) ([]byte, error) {
		cmd := exec.Command("sh", "-c", command)
		cmd.Dir, cmd.Env = dir, env
		return cmd.Output()
	}, version
}

// PmrepVersion returns the version of pmrep; "" if it does not run.
func PmrepVersion() string {
	_, version := pmrep()
	return version
}

// pmrep finds the environment in which pmrep runs.
func pmrep() (env []string, version string) {
	for _, python := range []string{"python3", "/usr/bin/python3"} {
		env := append(os.Environ(), "PCP_PYTHON_PROG="+python)
		ask := exec.Command("pmrep", "--version")
		ask.Env = env
		if out, err := ask.CombinedOutput(); err == nil {
			if words := strings.Fields(string(out)); len(words) > 0 {
				return env, words[len(words)-1]
			}
		}
	}
	return nil, ""
}

// Pmlogcheck returns the complaints of pmlogcheck(1) about an archive, "" if
// there are none, and whether it ran to its end. It complains about every
// logged derived metric; real archives have them (docs/spec/archive.md section
// 2.3), so these complaints are removed.
func Pmlogcheck(t testing.TB, dir, archive string) (report string, done bool) {
	t.Helper()
	out, err := exec.Command(Program(t, "pmlogcheck"), "-w", filepath.Join(dir, archive)).CombinedOutput()
	out = regexp.MustCompile(`(?m)^.*domain of pmid \(511\).*\n`).ReplaceAll(out, nil)
	return strings.TrimSpace(string(out)), err == nil
}

// agent is PCP's mmv agent, as a library.
const agent = "/var/lib/pcp/pmdas/mmv/pmda_mmv.so"

// NeedAgent skips a test if dbpmda(1) and the agent are not installed.
func NeedAgent(t testing.TB) {
	t.Helper()
	Program(t, "dbpmda")
	for _, file := range []string{agent, "/etc/pcp.conf"} {
		if _, err := os.Stat(file); err != nil {
			t.Skip("0 compared: there is no " + file)
		}
	}
}

// AskAgent lets the agent serve one MMV file and returns its answers to
// commands of dbpmda(1).
func AskAgent(t testing.TB, file string, commands ...string) string {
	t.Helper()
	NeedAgent(t)
	dir := t.TempDir()
	read := func(path string) []byte {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	write := func(name string, data []byte) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write("mmv/"+filepath.Base(file), read(file))
	names := write("names", []byte("root {\n\tmmv\t70:*:*\n}\n"))
	conf := write("pcp.conf", regexp.MustCompile(`(?m)^PCP_TMP_DIR=.*`).ReplaceAll(read("/etc/pcp.conf"), []byte("PCP_TMP_DIR="+dir)))
	cmd := exec.Command("dbpmda", "-ie", "-n", names)
	cmd.Env = append(os.Environ(), "PCP_CONF="+conf)
	cmd.Stdin = strings.NewReader("open dso " + agent + " mmv_init 70\n" + strings.Join(commands, "\n") + "\nquit\n")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("dbpmda: %v\n%s", err, out)
	}
	return string(out)
}
