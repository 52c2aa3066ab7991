package table

// A Repeated column has few texts in many rows: metrics, instances and units are the same
// in every record.
type Repeated struct {
	Words []string  // each once; nil if the texts hardly repeat
	Of    []float64 // for each row, the index of its text
}

// maxWords is how many texts may differ; one in a hundred rows is worth a list.
const maxWords = 1000

// Repeats lists the texts of a column each once, if they are few.
func (c *Column) Repeats() Repeated {
	limit := min(maxWords, len(c.Texts)/100)
	at := map[string]int{}
	r := Repeated{Of: make([]float64, 0, len(c.Texts))}
	for _, text := range c.Texts {
		k, known := at[text]
		if !known {
			if k = len(at); k == limit {
				return Repeated{}
			}
			at[text] = k
			r.Words = append(r.Words, text)
		}
		r.Of = append(r.Of, float64(k))
	}
	return r
}
