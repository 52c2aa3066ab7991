package api

// Rule is one threshold that findings and the states of tiles rest on.
type Rule struct {
	Name  string  `json:"name"`  // "diskBusy"
	Text  string  `json:"text"`  // what it is the limit of
	Value float64 `json:"value"` // as it holds for this source
	Usual float64 `json:"usual"` // as it holds unless it is set
	Unit  string  `json:"unit"`  // "%", "s" and so on
	From  string  `json:"from"`  // where the usual value is from
}
