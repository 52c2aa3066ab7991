package browser

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"
)

func after() <-chan time.Time { return time.After(5 * time.Second) }

// marionette is Firefox's own remote protocol: WebDriver's commands as JSON,
// each with its length in front, over a socket.
// https://firefox-source-docs.mozilla.org/testing/marionette/Protocol.html
type marionette struct {
	cmd  *exec.Cmd
	home string
	conn net.Conn
	in   *bufio.Reader
	last int
}

func startFirefox() (transport, error) {
	name := "firefox-esr"
	if _, err := exec.LookPath(name); err != nil {
		name = "firefox"
	}
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	profile, err := os.MkdirTemp("", "pcpscope-firefox-")
	if err != nil {
		return nil, err
	}
	settings := fmt.Sprintf("user_pref(\"marionette.port\", %d);\nuser_pref(\"app.update.enabled\", false);\nuser_pref(\"datareporting.policy.dataSubmissionEnabled\", false);\nuser_pref(\"browser.shell.checkDefaultBrowser\", false);\n", port)
	if err := os.WriteFile(filepath.Join(profile, "user.js"), []byte(settings), 0o644); err != nil {
		return nil, err
	}
	cmd, home, err := run(name, "--headless", "--marionette", "--remote-allow-system-access", "--no-remote", "--profile", profile)
	if err != nil {
		os.RemoveAll(profile)
		return nil, err
	}
	m := &marionette{cmd: cmd, home: home}
	err = until(40*time.Second, func() error {
		m.conn, err = net.Dial("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
		return err
	})
	if err == nil {
		m.in = bufio.NewReader(m.conn)
		if _, err = m.packet(); err == nil { // its greeting
			_, err = m.do("NewSession", map[string]any{"acceptInsecureCerts": false})
		}
	}
	if err != nil {
		m.close()
		os.RemoveAll(profile)
		return nil, err
	}
	return m, nil
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

func (m *marionette) packet() ([]byte, error) {
	m.conn.SetDeadline(time.Now().Add(3 * time.Minute))
	size, err := m.in.ReadString(':')
	if err != nil {
		return nil, err
	}
	n, err := strconv.Atoi(size[:len(size)-1])
	if err != nil || n > 64<<20 {
		return nil, errors.New("not a packet of Marionette")
	}
	text := make([]byte, n)
	_, err = io.ReadFull(m.in, text)
	return text, err
}

func (m *marionette) do(command string, parameters map[string]any) (json.RawMessage, error) {
	m.last++
	text, err := json.Marshal([]any{0, m.last, "WebDriver:" + command, parameters})
	if err != nil {
		return nil, err
	}
	if _, err := fmt.Fprintf(m.conn, "%d:%s", len(text), text); err != nil {
		return nil, err
	}
	answer, err := m.packet()
	if err != nil {
		return nil, err
	}
	var parts [4]json.RawMessage
	if err := json.Unmarshal(answer, &parts); err != nil {
		return nil, err
	}
	var failed *struct{ Error, Message string }
	if json.Unmarshal(parts[2], &failed) == nil && failed != nil {
		return nil, fmt.Errorf("%s: %s: %s", command, failed.Error, failed.Message)
	}
	return parts[3], nil
}

func (m *marionette) close() {
	if m.conn != nil {
		m.conn.Close()
	}
	endGroup(m.cmd)
	os.RemoveAll(m.home)
}
