package redact

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// sealed is a table with a host, a user and words.
func sealed(t testing.TB, words ...string) *Table {
	t.Helper()
	table, err := New(Options{Words: words, Key: strings.Repeat("5a", 32)})
	if err != nil {
		t.Fatal(err)
	}
	table.Collect(HostName, "dbhost77.corp.example.com")
	table.Collect(HostName, "db1")
	table.Collect(UserName, "J\u00fcrgenM\u00fcller") // composed: NFC
	for _, w := range words {
		table.see(w)
	}
	if err := table.Seal(nil); err != nil {
		t.Fatal(err)
	}
	return table
}

// systemd's sessions keep their numbers (systemd-logind.service(8)); what only begins
// like them, such as a command, is a name.
func TestSessionsOfSystemd(t *testing.T) {
	table := sealed(t)
	for name, kept := range map[string]bool{"session-12.scope": true, "session-c3.scope": true, "session-cache": false, "session-anna.scope": false} {
		if got := table.publicPart(name); got != kept {
			t.Errorf("%s is kept: %t, want %t", name, got, kept)
		}
	}
}

// The same letters in another Unicode normal form are the same text,
// whichever was seen first, both in replacing and in scanning.
func TestNormalFormsAreOne(t *testing.T) {
	table := sealed(t)
	const nfd, capitals = "Ju\u0308rgenMu\u0308ller", "JU\u0308RGENM\u00dcLLER"
	want := table.ReplaceWhole(Users, "J\u00fcrgenM\u00fcller")
	for _, text := range []string{nfd, capitals, "J%C3%BCrgenM%C3%BCller", "Ju%CC%88rgenM\\u00fcller"} {
		if got := table.Text("by " + text); strings.ToLower(got) != "by "+want {
			t.Errorf("%q becomes %q, want %q", text, got, "by "+want)
		}
		if err := table.ScanText("a text", "by "+text+"."); err == nil {
			t.Errorf("%q is not found", text)
		}
	}
	if got := table.ReplaceWhole(Users, nfd); got != want {
		t.Errorf("a whole name becomes %q, want %q", got, want)
	}
	other, _ := New(Options{})
	other.Collect(UserName, nfd)
	other.Seal(nil)
	if got := other.Text("by J\u00fcrgenM\u00fcller"); strings.Contains(got, "rgen") {
		t.Errorf("met decomposed, it becomes %q", got)
	}
	// A text in another encoding is found by its bytes.
	latin := "M\xfcllerstra\xdfe"
	table, _ = New(Options{})
	table.Collect(UserName, latin)
	table.Seal(nil)
	if err := table.ScanText("a text", "in "+latin); err == nil {
		t.Error("Latin-1 is not found")
	}
}

// In documents, names are replaced as whole words, however short; identifiers
// read by programs are kept. An IPv6 address is what RFC 4291, section 2.2,
// allows, as a whole word.
func TestAddresses(t *testing.T) {
	for text, want := range map[string]string{
		"from 2001:db8::17 to fe80::1.":              "2001:db8::17 fe80::1",
		"fe80::1234: no route; eth0:fe80::5678":      "fe80::1234 fe80::5678",
		"[2001:db8::17]:443, fe80::1%eth0":           "2001:db8::17 fe80::1",
		"::ffff:192.0.2.7 and 192.0.2.8.":            "::ffff:192.0.2.7 192.0.2.8",
		"node x24::c, 24::cgroup, std::abs, a::b::c": "",
		"24::c alone":                            "24::c", // a valid one, wherever it comes from
		"12:24:36, 1:2:3:4, 2026-11-22T21:08:58": "",
		"52:54:00:12:34:56 is a MAC":             "52:54:00:12:34:56",
	} {
		if got := strings.Join(addressesIn(text), " "); got != want {
			t.Errorf("in %q there are %q, want %q", text, got, want)
		}
	}
}

func TestDocuments(t *testing.T) {
	table := sealed(t)
	short := table.ReplaceWhole(Hosts, "db1")
	for text, want := range map[string]string{
		"On db1, DB1: adb1 db12":                           "On " + short + ", " + short + ": adb1 db12",
		`{"host":"db1","kind":"db1","files":["db1.meta"]}`: `{"host":"` + short + `","kind":"db1","files":["` + short + `.meta"]}`,
		"42": "42",
	} {
		if got := table.Document(text); got != want {
			t.Errorf("%s becomes %s, want %s", text, got, want)
		}
	}
}

// A text is found wherever the reads of a file are split, and a disk error is
// passed on.
func TestScanReadsInPieces(t *testing.T) {
	table := sealed(t)
	for _, size := range []int{0, 100, piece - 5, piece, 5*piece - 9, 9 * piece} {
		data := append(bytes.Repeat([]byte("x "), size/2), "DbHost77"...)
		for _, r := range []io.Reader{bytes.NewReader(data), iotest.HalfReader(bytes.NewReader(data)), iotest.DataErrReader(bytes.NewReader(data))} {
			if err := table.Scan("a.0", r); err == nil {
				t.Errorf("not found behind %d bytes", size)
			}
		}
		if err := table.Scan("a.0", bytes.NewReader(data[:len(data)-1])); err != nil {
			t.Errorf("found a text that does not occur: %v", err)
		}
	}
	broken := errors.New("the disk is gone")
	if err := table.Scan("a.meta", iotest.ErrReader(broken)); !errors.Is(err, broken) {
		t.Errorf("an error of the disk gives %v", err)
	}
}

// A result whose own name contains a replaced text is rejected, with advice.
func TestScanOfTheName(t *testing.T) {
	err := sealed(t).Scan("/out/dbhost77-public.0", strings.NewReader("nothing"))
	if err == nil || err.Error() != "The name of the result, dbhost77-public.0, contains a text that is to be replaced (host names), so nothing was saved. Choose another name." {
		t.Errorf("error = %v, want that the name of the result contains a text to be replaced", err)
	}
}

// FuzzScan hides a text in any file, after its label: it must be found.
func FuzzScan(f *testing.F) {
	table := sealed(f, "hunter2hunter2")
	label := append([]byte{0, 0, 0, 132, 0x50, 5, 0x26, 2}, make([]byte, 124)...)
	label[131] = 132
	f.Add(label, []byte("\x00\x00\x00\x18\x00\x00\x00\x01"), uint16(3), false)
	f.Fuzz(func(t *testing.T, head, data []byte, at uint16, meta bool) {
		name := "a.0"
		if meta {
			name = "a.meta"
		}
		table.Scan(name, bytes.NewReader(append(bytes.Clone(head), data...)))
		whole := append([]byte{}, label...)
		n := int(at) % (len(data) + 1)
		whole = append(whole, data[:n]...)
		whole = append(whole, "HUNTER2hunter2"...)
		whole = append(whole, data[n:]...)
		if err := table.Scan(name, bytes.NewReader(whole)); err == nil {
			t.Error("not found")
		}
	})
}

// FuzzReplace: the result of replacing in any text or labels contains none of
// the texts.
func FuzzReplace(f *testing.F) {
	table := sealed(f, "hunter2hunter2")
	for _, s := range []string{"dbhost77", `{"a":"%64bhost77"}`, "J\u00fcrgenM\u00fcller%2fDBHOST77", `\u0064bhost77`, `/x\x2fdbhost77`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, p := range []Place{Free, HostName, UserName, PathName, Command, Container, Enumerated} {
			out := table.Replace(p, text)
			if err := table.ScanText("it", out); err != nil {
				t.Errorf("%q becomes %q: %v", text, out, err)
			}
		}
		if out := table.Labels(text); table.ScanText("it", out) != nil {
			t.Errorf("labels %q become %q", text, out)
		}
		if out := table.Document(text); table.ScanText("it", out) != nil {
			t.Errorf("a document %q becomes %q", text, out)
		}
	})
}

// descriptorNamed is the record of a metric in a .meta file (spec/archive.md).
func descriptorNamed(names ...string) []byte {
	b := append(binary.BigEndian.AppendUint32(make([]byte, 4), 1), make([]byte, 20)...)
	b = binary.BigEndian.AppendUint32(b, uint32(len(names)))
	for _, n := range names {
		b = append(binary.BigEndian.AppendUint32(b, uint32(len(n))), n...)
	}
	b = binary.BigEndian.AppendUint32(b, uint32(len(b)+4))
	copy(b, b[len(b)-4:])
	return b
}

// An operation of NFS that is cut to create_ses in an instance's name is no text left
// in the metric nfsclient.ops.create_session (both in pcp-zeroconf of pcp-testsuite);
// a host's name is one, and so is either in a metric that is not one of PCP's own.
func TestPartsOfPublicNames(t *testing.T) {
	table, _ := New(Options{})
	table.CollectMetric("nfsclient.ops.create_session.rtt")
	table.CollectInstance(Free, "create_ses")
	table.Collect(HostName, "dbhost77")
	if err := table.Seal(nil); err != nil {
		t.Fatal(err)
	}
	label := append([]byte{0, 0, 0, 132, 0x50, 5, 0x26, 2}, make([]byte, 124)...)
	label[131] = 132
	for name, left := range map[string]bool{
		"nfsclient.ops.create_session.rtt": false, "nfsclient.ops.create_ses.rtt": true,
		"oracle.dbhost77prod.sessions": true, "acme.create_session": true,
	} {
		for _, names := range [][]string{{name}, {"mem.free", name}, {name, "mem.free"}} {
			if err := table.Scan("a.meta", bytes.NewReader(append(bytes.Clone(label), descriptorNamed(names...)...))); (err != nil) != left {
				t.Errorf("%q: error = %v, want one: %t", names, err, left)
			}
		}
	}
}

// A letter before a text, and the pseudonym in its place, may be another text: the
// pseudonym of arguments behind an x is found as xargs (20201109 of pcp-testsuite).
func TestPseudonymBehindALetter(t *testing.T) {
	table, _ := New(Options{})
	table.Collect(Command, "1 sh xargs pcpcluster7")
	if err := table.Seal(nil); err != nil {
		t.Fatal(err)
	}
	out := table.Text("xpcpcluster7 and")
	if err := table.ScanText("it", out); err != nil {
		t.Errorf("becomes %q: %v", out, err)
	}
}
