package session

import (
	"slices"
	"strings"

	"pcpscope/core/api"
	"pcpscope/web/format"
)

// Match finds the saved view of a source: saved from the same files or, unless exact, from
// the same host, or any that is still missing.
func (s *Session) Match(src api.Source, only bool) (k *Source, exact bool) {
	tests := []func(*Source) bool{
		func(k *Source) bool { return k.Fingerprint == src.Fingerprint },
		func(k *Source) bool { return k.Kind == src.Kind && k.Host == src.Host && k.Name == src.Name },
		func(k *Source) bool { return k.Kind == src.Kind && k.Host == src.Host && k.Host != "" },
		func(k *Source) bool { return k.Kind == src.Kind },
	}
	for n, fits := range tests {
		for i := range s.Sources {
			if !s.taken[i] && fits(&s.Sources[i]) {
				s.taken[i] = true
				return &s.Sources[i], n == 0
			}
		}
		if only {
			break
		}
	}
	return nil, false
}

// Missing lists the sources of a session that have not been opened.
func (s *Session) Missing() []Source {
	if s == nil {
		return nil
	}
	var list []Source
	for i, taken := range s.taken {
		if !taken {
			list = append(list, s.Sources[i])
		}
	}
	return list
}

// Describe describes a source of a session, to ask the user for its files.
func (k *Source) Describe(resolve func(string) (format.OffsetFunc, bool)) (title, text string) {
	clock := format.UTC
	if resolve != nil {
		if f, ok := resolve(k.Zone); ok {
			clock = format.NewClock(k.Zone, f, k.Start, k.End)
		}
	}
	title = k.Name
	if k.Host != "" {
		title = k.Name + " of " + k.Host
	}
	files := slices.Clone(k.Files)
	if len(files) > 6 {
		files = append(files[:5], format.Count(len(k.Files)-5)+" more")
	}
	text = clock.Dated(k.Start, k.End) + " " + clock.Offsets(k.Start, k.End)
	if k.Kind == "mmv" {
		text = "an MMV file"
	}
	if len(files) > 0 {
		text += "; files " + strings.Join(files, ", ")
	}
	return title, text
}

// Clone returns a copy, none of whose sources has been opened yet.
func (s *Session) Clone() *Session {
	c := *s
	c.Sources, c.taken = slices.Clone(s.Sources), make([]bool, len(s.Sources))
	return &c
}
