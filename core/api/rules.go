package api

// Rule is one threshold behind findings and the states of tiles.
type Rule struct {
	Name  string  `json:"name"`  // "diskBusy"
	Text  string  `json:"text"`  // what it limits
	Value float64 `json:"value"` // current value for this source
	Usual float64 `json:"usual"` // default
	Unit  string  `json:"unit"`  // "%", "s" and so on
	From  string  `json:"from"`  // source of the default
	// Pmie is the threshold in the language of pmie(1), a file of one or several
	// rules, as RunRules evaluates it; "" if Why says why there is none.
	Pmie string `json:"pmie"`
	Why  string `json:"why"`
}
