package format

import "testing"

func TestCopied(t *testing.T) {
	for text, want := range map[string]string{
		"Disk sda: 99.1 % busy, where 20 % is usual [peak 100]; x < 3": "Disk sda: 99.1 % busy, where 20 % is usual [peak 100]; x < 3",
		"Disk <img src=https://x.example/>":                            `Disk \<img src=https://x.example/>`,
		"![x](https://x.example/y.png) [a][b] [a]: https://x.example":  `![x\](https://x.example/y.png) [a\][b] [a\]: https://x.example`,
		"</p><!-- <?php":                      `\</p>\<!-- \<?php`,
		"one\n# two\r\nthree\tfour\u2028five": "one # two  three four five",
		"sda\x1b[2J\u202edne\u200b":           "sda\ufffd[2J\ufffddne\ufffd",
	} {
		if got := Copied(text); got != want {
			t.Errorf("%q is copied as %q, want %q", text, got, want)
		}
	}
}
