package browser

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"
)

// webDriver is the W3C's protocol: JSON over HTTP.
type webDriver struct {
	cmd     *exec.Cmd
	home    string
	address string // of the session
}

// paths of the commands used here. https://www.w3.org/TR/webdriver2/
var paths = map[string]string{
	"SetTimeouts": "/timeouts", "Navigate": "/url", "FindElement": "/element", "ExecuteAsyncScript": "/execute/async",
}

// miniBrowsers is where distributions install WebKitGTK's small browser.
const miniBrowsers = "/usr/lib/*/webkit2gtk-4.*/MiniBrowser"

func startWebKit() (transport, error) {
	found, _ := filepath.Glob(miniBrowsers)
	if len(found) == 0 {
		return nil, fmt.Errorf("there is no %s", miniBrowsers)
	}
	if _, err := exec.LookPath("WebKitWebDriver"); err != nil {
		return nil, err
	}
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	// It has no headless mode, so it gets a virtual display.
	cmd, home, err := run("xvfb-run", "-a", "WebKitWebDriver", "--port="+strconv.Itoa(port))
	if err != nil {
		return nil, err
	}
	d := &webDriver{cmd: cmd, home: home, address: fmt.Sprintf("http://127.0.0.1:%d/session", port)}
	err = until(30*time.Second, func() error {
		text, err := d.send("", map[string]any{"capabilities": map[string]any{"alwaysMatch": map[string]any{
			"webkitgtk:browserOptions": map[string]any{"binary": found[len(found)-1], "args": []string{"--automation"}}}}})
		if err != nil {
			return err
		}
		var session struct{ SessionID string }
		if err := json.Unmarshal(text, &session); err != nil {
			return err
		}
		d.address += "/" + session.SessionID
		return nil
	})
	if err != nil {
		d.close()
		return nil, err
	}
	return d, nil
}

func (d *webDriver) do(command string, parameters map[string]any) (json.RawMessage, error) {
	if id, ok := parameters["id"].(string); ok && command == "ElementSendKeys" {
		return d.send("/element/"+id+"/value", parameters)
	}
	path, ok := paths[command]
	if !ok {
		return nil, fmt.Errorf("%s is not a command that is known here", command)
	}
	return d.send(path, parameters)
}

// send posts to the session and returns the value of the response.
func (d *webDriver) send(path string, parameters map[string]any) (json.RawMessage, error) {
	text, err := json.Marshal(parameters)
	if err != nil {
		return nil, err
	}
	client := http.Client{Timeout: 3 * time.Minute}
	answer, err := client.Post(d.address+path, "application/json", bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	var out struct{ Value json.RawMessage }
	if err := json.NewDecoder(answer.Body).Decode(&out); err != nil {
		return nil, err
	}
	var failed struct{ Error, Message string }
	if answer.StatusCode != http.StatusOK {
		json.Unmarshal(out.Value, &failed)
		return nil, fmt.Errorf("%s: %s", failed.Error, failed.Message)
	}
	return out.Value, nil
}

func (d *webDriver) close() {
	if r, err := http.NewRequest(http.MethodDelete, d.address, nil); err == nil {
		client := http.Client{Timeout: 5 * time.Second}
		if answer, err := client.Do(r); err == nil {
			answer.Body.Close()
		}
	}
	endGroup(d.cmd)
	os.RemoveAll(d.home)
}
