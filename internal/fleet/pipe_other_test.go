//go:build !unix

package fleet

import "errors"

func mkfifo(string) error { return errors.ErrUnsupported }
