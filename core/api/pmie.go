package api

import "pcpscope/core/pcp"

// RulesQuery asks when rules in the language of pmie(1) were true. They are
// evaluated at the start and then every delta of theirs.
type RulesQuery struct {
	Source SourceID `json:"source"`
	Text   string   `json:"text"`             // the rules: a file of pmie's, or of pmieconf's rules
	File   string   `json:"file,omitempty"`   // name of the file, for messages
	Start  *When    `json:"start,omitempty"`  // default: of the source
	End    *When    `json:"end,omitempty"`    // default: of the source
	Zone   string   `json:"zone,omitempty"`   // of $hour and the like
	Pixels int      `json:"pixels,omitempty"` // for a picture of that width: short runs are joined, and of many lanes those that were true longest are given; 0 for everything
}

// RuleResults is the answer to a RulesQuery.
type RuleResults struct {
	Start pcp.Time     `json:"start"`
	End   pcp.Time     `json:"end"`
	Rules []RuleResult `json:"rules"` // in the order of the file
}

// RuleResult is one rule. Of a rule with a fault there are no lanes, unless the
// archive merely lacks a metric: then the rule is unknown throughout.
type RuleResult struct {
	Name    string       `json:"name"`             // as in the file; pmie's expr_1, expr_2 and so on if it has none
	Text    string       `json:"text"`             // the expression
	Help    string       `json:"help,omitempty"`   // description of a rule of pmieconf's
	Off     bool         `json:"off,omitempty"`    // a rule of pmieconf's that is not enabled by default
	Delta   float64      `json:"delta"`            // seconds between evaluations
	Actions []RuleAction `json:"actions"`          // what pmie would do; nothing is done here
	Number  bool         `json:"number,omitempty"` // it is a number, not a condition, and has no lanes
	Fault   *pcp.Fault   `json:"fault,omitempty"`  // why it is not evaluated, with its place in the text
	Lanes   []RuleLane   `json:"lanes"`            // one, or one for each instance
	Of      int          `json:"of"`               // how many lanes there are
	True    float64      `json:"true"`             // seconds, of the lane that was true longest
}

// RuleAction is an action of a rule.
type RuleAction struct {
	Kind    string  `json:"kind"`    // "print", "syslog", "alarm", "shell" or "stomp"
	Text    string  `json:"text"`    // with %h, %i and %v as written
	Holdoff float64 `json:"holdoff"` // seconds
	Else    bool    `json:"else,omitempty"`
}

// RuleLane is a condition over time.
type RuleLane struct {
	Instance *InstanceRef `json:"instance"`
	Runs     []RuleRun    `json:"runs"`  // from start to end, without gaps
	True     float64      `json:"true"`  // seconds
	Times    int          `json:"times"` // how often it was true
}

// RuleRun is a stretch of time in one state: from the first evaluation that
// found it until the next that no longer did, or the last of all.
type RuleRun struct {
	Start pcp.Time `json:"start"`
	End   pcp.Time `json:"end"`
	State string   `json:"state"`          // "true", "false" or "unknown"
	Says  string   `json:"says,omitempty"` // text of the first action when it became true
}
