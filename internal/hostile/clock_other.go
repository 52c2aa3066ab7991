//go:build !unix

package hostile

import "time"

var began = time.Now()

func spent() time.Duration { return time.Since(began) }
