package core

import (
	"context"
	"sync"
)

// A contextMutex is a mutex whose waiters can be cancelled. It is for what is held during
// a long computation: with a sync.Mutex, a cancelled caller would go on waiting until that
// computation has finished.
type contextMutex struct {
	once sync.Once
	held chan struct{}
}

// LockContext locks the mutex; if ctx ends first it returns a fault of kind Cancelled and the
// mutex is not locked.
func (m *contextMutex) LockContext(ctx context.Context) error {
	m.once.Do(func() { m.held = make(chan struct{}, 1) })
	if ctx.Err() != nil {
		return cancelled()
	}
	select {
	case m.held <- struct{}{}:
		return nil
	case <-ctx.Done():
		return cancelled()
	}
}

// Lock locks the mutex, however long that takes.
func (m *contextMutex) Lock() {
	m.LockContext(context.Background())
}

// Unlock unlocks the mutex, which must be locked.
func (m *contextMutex) Unlock() { <-m.held }
