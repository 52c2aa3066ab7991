package analysis

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"pcpscope/core/api"
	"pcpscope/core/pattern"
	"pcpscope/core/pcp"
)

// Logged is what the text of a rule depends on.
type Logged struct {
	Desc       func(metric string) (d pcp.Desc, known bool)
	Interval   float64 // usual seconds between records; 0 if not known
	Averaged   bool    // see Host.Averaged
	NICsByName bool    // see Host.NICsByName
}

// Express adds to a list of thresholds the rules of pmie(1) that say the same, in the
// words of what was logged, or why there are none.
func Express(list []api.Rule, logged Logged) {
	parts := map[string][]string{} // rules that a threshold is part of
	missing := map[string]string{}
	at := map[string]int{}
	for i := range list {
		at[list[i].Name] = i
	}
	for i := range pmieRules {
		p := &pmieRules[i]
		w := pmieText{rule: p, thresholds: list, at: at, logged: logged, delta: max(1, logged.Interval)}
		text, used, lacks := w.text()
		if lacks != "" {
			for _, name := range used {
				missing[name] = cmp.Or(missing[name], lacks)
			}
			continue
		}
		of := &list[at[used[0]]]
		if of.Pmie == "" {
			of.Pmie = "delta = " + strconv.FormatFloat(w.delta, 'f', -1, 64) + " sec;\n"
		}
		if p.also != "" {
			of.Pmie += "// A finding also asks " + p.also + ".\n"
		}
		of.Pmie += p.name + " = " + text + ";\n"
		for _, name := range used[1:] {
			if !slices.Contains(parts[name], p.name) {
				parts[name] = append(parts[name], p.name)
			}
		}
	}
	for i := range list {
		of := &list[i]
		switch names := parts[of.Name]; {
		case of.Pmie != "":
		case len(names) > 0:
			of.Why = "It is part of the " + plural(len(names), "rule ", "rules ") + strings.Join(names, ", ") + "."
		case missing[of.Name] != "":
			of.Why = "The archive has no " + missing[of.Name] + "."
		default:
			of.Why = notInPmie[of.Name]
		}
	}
}

// pmieText writes one rule.
type pmieText struct {
	rule       *pmieRule
	thresholds []api.Rule
	at         map[string]int // index of a threshold
	logged     Logged
	delta      float64 // seconds
	used       []string
	lacks      string // a metric that was not logged
}

var (
	pmieMacro  = pattern.New(`\{(\w+)\}`)
	pmieMetric = pattern.New(`(rate)?\[(\w+\.[\w.]+)([^\]]*)\]`)
	pmieValue  = pattern.New(`\$(\w+)`)
)

// text returns the rule in the words of the first text that is possible, with the
// thresholds in it, the one that it is about first. Without any, lacks is a metric that
// was not logged.
func (w *pmieText) text() (text string, used []string, lacks string) {
	var all []string
	for _, t := range w.rule.texts {
		w.used, w.lacks = nil, ""
		t = pmieValue().ReplaceAllStringFunc(w.expression(t), w.value)
		if _, is := w.at[w.rule.lasting]; is {
			w.uses(w.rule.lasting)
		}
		if w.lacks == "" {
			return t, w.used, ""
		}
		all, lacks = append(all, w.used...), cmp.Or(lacks, w.lacks)
	}
	return "", all, lacks
}

// expression returns an expression with its metrics as pmie has them.
func (w *pmieText) expression(t string) string {
	t = pmieMacro().ReplaceAllStringFunc(t, func(m string) string { return w.part(m[1 : len(m)-1]) })
	return pmieMetric().ReplaceAllStringFunc(t, w.metric)
}

// value returns a threshold.
func (w *pmieText) value(name string) string {
	w.uses(name[1:])
	return strconv.FormatFloat(w.threshold(name[1:]), 'f', -1, 64)
}

func (w *pmieText) uses(threshold string) {
	if !slices.Contains(w.used, threshold) {
		w.used = append(w.used, threshold)
	}
}

func (w *pmieText) threshold(name string) float64 { return w.thresholds[w.at[name]].Value }

// samples is how many samples the rule looks at.
func (w *pmieText) samples() int {
	lasting, err := strconv.ParseFloat(w.rule.lasting, 64)
	switch {
	case w.rule.lasting == "":
		return 1
	case w.rule.lasting == tenSamples:
		return 10
	case err != nil:
		lasting = w.threshold(w.rule.lasting)
	}
	return int(max(1, min(mostSamples, math.Ceil(lasting/w.delta-1e-9))))
}

// mostSamples is how many samples a rule may look at in core/pmie.
const mostSamples = 1000

// metric returns a metric with its samples.
func (w *pmieText) metric(text string) string {
	m := pmieMetric().FindStringSubmatch(text)
	rate, name, instance, before := m[1] != "", m[2], m[3], ""
	d, known := w.logged.Desc(name)
	has := func(name string) bool { _, known := w.logged.Desc(name); return known }
	switch {
	case !known, rate && d.IsLatency(name, has):
		w.lacks = cmp.Or(w.lacks, name)
	case rate && d.Sem != pcp.Counter && !d.IsRate() && w.samples() == 1:
		before = "rate "
	case rate && d.Sem != pcp.Counter && !d.IsRate(): // pmie has the rate of one sample only
		w.lacks = cmp.Or(w.lacks, name+" as a counter")
	}
	if n := w.samples(); n > 1 {
		instance += " @0.." + strconv.Itoa(n-1)
	}
	return before + name + instance
}

// part returns an expression that rules have in common.
func (w *pmieText) part(name string) string {
	has := func(metric string) bool { _, known := w.logged.Desc(metric); return known }
	sum := func(prefix string, of ...string) string {
		var list []string
		for _, m := range of {
			if has(prefix + m) {
				list = append(list, "rate["+prefix+m+"]")
			}
		}
		return "(" + strings.Join(list, " + ") + ")"
	}
	switch name {
	case "realDisk":
		return "nomatch_inst \"" + pattern.VirtualDisks + "\" "
	case "realNIC":
		if has("network.interface.virtual") && !w.logged.NICsByName {
			return "network.interface.virtual == 0 && "
		}
		return "nomatch_inst \"" + strings.ReplaceAll(pattern.CommonNICs, "$", `\$`) + "\" " // not a macro
	case "stalls":
		if all := sum("mem.vmstat.allocstall_", "dma", "dma32", "normal", "movable"); all != "()" {
			return all
		}
		return "rate[mem.vmstat.allocstall]"
	case "busy": // see Host.busy
		const all, each = "kernel.all.cpu.", "kernel.percpu.cpu."
		modes := "100 * " + sum(all, "user", "nice", "sys", "intr", "steal")
		switch logged := has(all+"user") && has(all+"sys") && has(all+"idle"); {
		case logged && w.logged.Averaged:
			return modes
		case logged || !has(each+"idle"):
			return modes + " / [hinv.ncpu]"
		case has(each + "wait.total"):
			return "100 * (1 - avg_inst rate[" + each + "idle] - avg_inst rate[" + each + "wait.total])"
		}
		return "100 * (1 - avg_inst rate[" + each + "idle])"
	}
	for _, t := range pmieParts[name] {
		try := *w
		for _, m := range pmieMetric().FindAllString(t, -1) {
			try.metric(m)
		}
		if try.lacks == w.lacks {
			return t
		}
	}
	return pmieParts[name][0]
}

// underscores makes a name of rules.
func underscores(text string) string { return strings.NewReplacer(".", "_", " ", "_").Replace(text) }
