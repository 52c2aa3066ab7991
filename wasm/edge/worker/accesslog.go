package worker

import "net/http"

// A Visit is a line of the access log: who asked for what, and what the answer
// was. It holds no token.
type Visit struct {
	Who    string `json:"who"` // the name of a token, an address of Access, "anybody"; "" for who may not read
	Method string `json:"method"`
	Path   string `json:"path"`
	Range  string `json:"range,omitempty"`
	Status int    `json:"status"`
	Bytes  int64  `json:"bytes"`
}

// counted notes the status of an answer.
type counted struct {
	http.ResponseWriter
	status int
}

func (c *counted) WriteHeader(status int) {
	c.status = status
	c.ResponseWriter.WriteHeader(status)
}

// Unwrap lets what a platform adds to its writers be found.
func (c *counted) Unwrap() http.ResponseWriter { return c.ResponseWriter }
