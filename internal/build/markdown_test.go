package build

import "testing"

func TestMarkdown(t *testing.T) {
	link := func(address string) string {
		if address == "derived.md" {
			return "derived.html"
		}
		return ""
	}
	for _, tt := range []struct{ in, want string }{
		{"# Title\n\nTwo\nlines.", "<h1 id=\"title\">Title</h1>\n<p>Two\nlines.</p>\n"},
		{"## Types, semantics", "<h2 id=\"types-semantics\">Types, semantics</h2>\n"},
		{"a < b & `x[\"i\"] < 1` **strong**", "<p>a &lt; b &amp; <code>x[&quot;i&quot;] &lt; 1</code> <strong>strong</strong></p>\n"},
		{"see [`derived`](derived.md) and [more](else.md)", "<p>see <a href=\"derived.html\"><code>derived</code></a> and more</p>\n"},
		{"x[name] is no link, 2 * 3 is no list, ` is no code", "<p>x[name] is no link, 2 * 3 is no list, ` is no code</p>\n"},
		{"click *Worst minute*: 2 * 3 * 4", "<p>click <em>Worst minute</em>: 2 * 3 * 4</p>\n"},
		{"* one\n  more\n* two", "<ul>\n<li>one\nmore</li>\n<li>two</li>\n</ul>\n"},
		{"1. one\n2. two\n\nafter", "<ol>\n<li>one</li>\n<li>two</li>\n</ol>\n<p>after</p>\n"},
		{"| a | b |\n|---|---|\n| `x \\|\\| y` | |", "<div class=\"wide\" tabindex=\"0\"><table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td><code>x || y</code></td>\n<td></td>\n</tr>\n</tbody>\n</table></div>\n"},
		{"```sh\n# no heading\n<b>\n```\nafter", "<pre tabindex=\"0\"><code># no heading\n&lt;b&gt;</code></pre>\n<p>after</p>\n"},
		{"    indented\n      more", "<pre tabindex=\"0\"><code>indented\n  more</code></pre>\n"},
		{"```\nnever closed", "<pre tabindex=\"0\"><code>never closed</code></pre>\n"},
		{"<script>alert(1)</script>", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n"},
	} {
		if got, _, err := markdown(tt.in, link); got != tt.want || err != nil {
			t.Errorf("%q becomes\n%s, want\n%s, error %v", tt.in, got, tt.want, err)
		}
	}
	if _, title, _ := markdown("# First\n## Second", link); title != "First" {
		t.Errorf("the title is %q", title)
	}
}
