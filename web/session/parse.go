package session

import (
	"encoding/json"
	"errors"
	"io"
	"strings"

	"pcpscope/core/pcp"
	"pcpscope/web/panel"
)

// Parse reads a session from an untrusted source. Its faults are sentences for the
// user. rest, unless nil, is called between short pieces of work.
func Parse(text []byte, rest func()) (*Session, error) {
	if rest == nil {
		rest = func() {}
	}
	if len(text) > MaxBytes {
		return nil, TooLarge()
	}
	s, others, err := decode(newPieces(text, rest))
	var head struct {
		Pcpscope string `json:"pcpscope"`
		Version  int    `json:"version"`
	}
	if json.Unmarshal(others, &head) != nil || head.Pcpscope != "session" {
		return nil, pcp.Faultf(pcp.Unsupported, "This is not a pcpscope session.")
	}
	if head.Version > Version {
		return nil, pcp.Faultf(pcp.Unsupported, "A newer pcpscope made this session (version %d); this one reads up to version %d.", head.Version, Version)
	}
	if fault := (*pcp.Fault)(nil); errors.As(err, &fault) {
		return nil, fault
	}
	if err != nil {
		return nil, pcp.Faultf(pcp.Corrupt, "This session is damaged: %v.", err)
	}
	if len(s.Derived) > 1<<20 {
		return nil, TooLarge()
	}
	rest()
	for i := range s.Sources {
		k := &s.Sources[i]
		if len(k.Rules) > maxPanels || len(k.RuleText) > maxRules || k.From > k.To || k.Start > k.End {
			return nil, pcp.Faultf(pcp.Corrupt, "This session’s settings for %s are not valid.", Clip(k.Name))
		}
		for j := range k.Panels {
			p := &k.Panels[j]
			p.Top = max(0, min(p.Top, 1000))
			if len(p.Metrics) == 0 && p.Part == "" && !p.Breakdown.Valid() || len(p.Metrics) > maxPanels || len(p.Lines) > maxPanels {
				return nil, pcp.Faultf(pcp.Corrupt, "A panel in this session has %d metrics.", len(p.Metrics))
			}
		}
		for j := range k.Notes {
			k.Notes[j].Text = Clip(k.Notes[j].Text)
		}
	}
	s.Layout.sanitize()
	s.Shown = max(0, min(s.Shown, len(s.Sources)-1))
	s.taken = make([]bool, len(s.Sources))
	return s, nil
}

// decode decodes a session, up to the first error. others is an object with everything
// in it except lists and long texts.
func decode(p *pieces) (s *Session, others []byte, err error) {
	var sources []Source
	var derived string
	others, err = p.object(map[string]func() error{
		"sources": func() error { return listOf(p, &sources, maxSources, p.source) },
		"derived": func() error { return p.decode(&derived, maxLong) },
	})
	if err == nil {
		if _, after := p.token(); after != io.EOF {
			err = errors.New("something follows its end")
		}
	}
	s = &Session{}
	if err == nil {
		err = json.Unmarshal(others, s)
	}
	s.Sources, s.Derived = sources, derived
	return s, others, err
}

func (p *pieces) source(k *Source) error {
	var panels []panel.Settings
	var notes []Note
	var rules string
	others, err := p.object(map[string]func() error{
		"panels": func() error {
			return listOf(p, &panels, maxPanels, func(v *panel.Settings) error { return p.decode(v, maxPiece) })
		},
		"notes":    func() error { return listOf(p, &notes, maxNotes, func(v *Note) error { return p.decode(v, maxPiece) }) },
		"ruleText": func() error { return p.decode(&rules, maxLong) },
	})
	if err == nil {
		err = json.Unmarshal(others, k)
	}
	k.Panels, k.Notes, k.RuleText = panels, notes, rules
	return err
}

func Clip(s string) string {
	if len(s) <= maxText {
		return s
	}
	return strings.ToValidUTF8(s[:maxText], "") + "…"
}
