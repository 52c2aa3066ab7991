package session

import (
	"encoding/json"
	"strings"

	"pcpscope/core/pcp"
)

// Parse reads a session from an untrusted source. Its faults are sentences for the user.
func Parse(text []byte) (*Session, error) {
	var head struct {
		Pcpscope string `json:"pcpscope"`
		Version  int    `json:"version"`
	}
	if json.Unmarshal(text, &head) != nil || head.Pcpscope != "session" {
		return nil, pcp.Faultf(pcp.Unsupported, "This is not a pcpscope session.")
	}
	if head.Version > Version {
		return nil, pcp.Faultf(pcp.Unsupported, "A newer pcpscope made this session (version %d); this one reads up to version %d.", head.Version, Version)
	}
	var s Session
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, pcp.Faultf(pcp.Corrupt, "This session is damaged: %v.", err)
	}
	if len(s.Sources) > maxSources || len(s.Derived) > 1<<20 {
		return nil, pcp.Faultf(pcp.Corrupt, "This session is larger than any that pcpscope makes.")
	}
	for i := range s.Sources {
		k := &s.Sources[i]
		if len(k.Panels) > maxPanels || len(k.Notes) > maxNotes || len(k.Rules) > maxPanels || len(k.RuleText) > maxRules || k.From > k.To || k.Start > k.End {
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
	return &s, nil
}

func Clip(s string) string {
	if len(s) <= maxText {
		return s
	}
	return strings.ToValidUTF8(s[:maxText], "") + "…"
}
