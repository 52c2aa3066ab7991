package browser

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"
)

// An Engine is a browser other than Chromium, driven by WebDriver's commands.
type Engine struct {
	Name string
	// Packages are the Debian packages that provide it.
	Packages []string
	programs []string // required programs
	start    func() (transport, error)
}

// Engines are the browsers, besides Chromium, in which the main workflow is
// tested.
var Engines = []Engine{
	{"Firefox", []string{"firefox-esr"}, []string{"firefox-esr"}, startFirefox},
	{"WebKitGTK", []string{"webkit2gtk-driver", "xvfb", "xauth"}, []string{"WebKitWebDriver", "xvfb-run", "xauth"}, startWebKit},
}

// Missing reports whether the engine is not installed.
func (e Engine) Missing() bool {
	for _, program := range e.programs {
		if _, err := exec.LookPath(program); err != nil {
			return true
		}
	}
	return false
}

// A transport sends commands, named as in WebDriver, to an engine.
type transport interface {
	do(command string, parameters map[string]any) (json.RawMessage, error)
	close()
}

// A Driven browser has one page.
type Driven struct {
	transport
	Version string
}

// Start runs the engine headless.
func (e Engine) Start() (*Driven, error) {
	t, err := e.start()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", e.Name, err)
	}
	d := &Driven{transport: t}
	if _, err := d.do("SetTimeouts", map[string]any{"script": 60000, "pageLoad": 120000}); err != nil {
		d.Close()
		return nil, fmt.Errorf("%s: %w", e.Name, err)
	}
	d.Version, _ = Ask[string](d, "return navigator.userAgent")
	return d, nil
}

// Close ends the browser.
func (d *Driven) Close() { d.close() }

// Go navigates to an address.
func (d *Driven) Go(url string) error {
	_, err := d.do("Navigate", map[string]any{"url": url})
	return err
}

// Choose puts files into a file input, one after the other if the engine takes
// only one at a time.
func (d *Driven) Choose(selector string, files ...string) error {
	found, err := d.do("FindElement", map[string]any{"using": "css selector", "value": selector})
	if err != nil {
		return err
	}
	var element map[string]string
	if err := json.Unmarshal(unwrap(found), &element); err != nil {
		return err
	}
	for _, id := range element {
		text := ""
		for i, f := range files {
			if i > 0 {
				text += "\n"
			}
			text += f
		}
		_, err = d.do("ElementSendKeys", map[string]any{"id": id, "text": text})
	}
	return err
}

// Ask runs the body of an async function on the page and returns its value.
func Ask[T any](d *Driven, body string) (v T, err error) {
	script := "const done = arguments[arguments.length - 1]; (async () => {" + body + "})().then((v) => done({ v }), (e) => done({ failed: String(e) + ' ' + (e?.stack ?? '') }))"
	text, err := d.do("ExecuteAsyncScript", map[string]any{"script": script, "args": []any{}})
	if err != nil {
		return v, err
	}
	var out struct {
		V      T
		Failed string
	}
	if err := json.Unmarshal(unwrap(text), &out); err != nil {
		return v, fmt.Errorf("%w in %s", err, text)
	}
	if out.Failed != "" {
		return v, errors.New(out.Failed)
	}
	return out.V, nil
}

// unwrap returns the value in {"value": ...}; one engine wraps values and the
// other does not.
func unwrap(text json.RawMessage) json.RawMessage {
	var boxed struct{ Value json.RawMessage }
	if json.Unmarshal(text, &boxed) == nil && boxed.Value != nil {
		return boxed.Value
	}
	return text
}

// run starts a program with a home directory of its own, without reading its
// output.
func run(name string, args ...string) (cmd *exec.Cmd, home string, err error) {
	path, err := exec.LookPath(name)
	if err != nil {
		return nil, "", err
	}
	if home, err = os.MkdirTemp("", "pcpscope-engine-"); err != nil {
		return nil, "", err
	}
	cmd = exec.Command(path, args...)
	cmd.Env = append(os.Environ(), "HOME="+home, "MOZ_HEADLESS=1", "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS=1", "GIO_USE_VFS=local")
	ownGroup(cmd)
	if err := cmd.Start(); err != nil {
		os.RemoveAll(home)
		return nil, "", err
	}
	return cmd, home, nil
}

// until retries for a while.
func until(patience time.Duration, try func() error) (err error) {
	for end := time.Now().Add(patience); ; time.Sleep(100 * time.Millisecond) {
		if err = try(); err == nil || time.Now().After(end) {
			return err
		}
	}
}
