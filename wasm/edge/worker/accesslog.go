package worker

import "net/http"

// A Visit is a line of the access log: who requested what, and the result. It
// contains no token.
type Visit struct {
	Who    string `json:"who"` // the name of a token, an identity of Access, "anybody", or "" if access was denied
	Method string `json:"method"`
	Path   string `json:"path"`
	Range  string `json:"range,omitempty"`
	Status int    `json:"status"`
	Bytes  int64  `json:"bytes"`
}

// counted records the status of a response.
type counted struct {
	http.ResponseWriter
	status int
}

func (c *counted) WriteHeader(status int) {
	c.status = status
	c.ResponseWriter.WriteHeader(status)
}

// Unwrap gives access to the platform's additions to its writers.
func (c *counted) Unwrap() http.ResponseWriter { return c.ResponseWriter }
