// Package budget accounts for memory. WebAssembly limits a program's memory,
// and running out of it ends the program: whatever may become large claims its
// memory first.
package budget

import (
	"sync"

	"pcpscope/core/pcp"
)

// A Budget limits the total memory of all claims on it.
type Budget struct {
	mu          sync.Mutex
	used, limit int64
}

// New returns a budget of limit bytes.
func New(limit int64) *Budget { return &Budget{limit: limit} }

// Used returns how many bytes are claimed, and Limit how many may be.
func (b *Budget) Used() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.used
}

func (b *Budget) Limit() int64 { return b.limit }

// Left returns how many bytes are unclaimed.
func (b *Budget) Left() int64 { return max(0, b.limit-b.Used()) }

// Claim returns an empty claim on the budget. It leaves spare bytes unclaimed:
// long-lived data must not use up the memory needed to work with them. A nil
// budget gives a nil claim.
func (b *Budget) Claim(spare int64) *Claim {
	if b == nil {
		return nil
	}
	return &Claim{of: b, spare: spare}
}

// A Claim is the memory claimed for one purpose. A nil *Claim is unlimited.
type Claim struct {
	of    *Budget
	spare int64
	held  int64 // guarded by of.mu
}

// Take claims n more bytes, which may be used once it has returned nil; a
// negative n gives them back. The error is a *pcp.Fault of kind OutOfMemory.
func (c *Claim) Take(n int64) error {
	if c == nil {
		return nil
	}
	c.of.mu.Lock()
	defer c.of.mu.Unlock()
	return c.take(n)
}

// Set changes the claim to n bytes. Reducing it always succeeds; on error the
// claim is unchanged.
func (c *Claim) Set(n int64) error {
	if c == nil {
		return nil
	}
	c.of.mu.Lock()
	defer c.of.mu.Unlock()
	return c.take(n - c.held)
}

// Force is Set for memory that is already in use: it may exceed the budget,
// which leaves less to others.
func (c *Claim) Force(n int64) {
	if c == nil {
		return
	}
	c.of.mu.Lock()
	defer c.of.mu.Unlock()
	c.of.used += n - c.held
	c.held = n
}

// Held returns how many bytes the claim holds.
func (c *Claim) Held() int64 {
	if c == nil {
		return 0
	}
	c.of.mu.Lock()
	defer c.of.mu.Unlock()
	return c.held
}

// Release gives back the whole claim, which can then be reused.
func (c *Claim) Release() { c.Set(0) }

func (c *Claim) take(n int64) error {
	b := c.of
	if n > 0 && n > b.limit-b.used-c.spare {
		return pcp.Faultf(pcp.OutOfMemory, "There is not enough memory for %d MiB more: %d of %d MiB are in use. Close an open source, or open less at once.",
			(n+1<<20-1)>>20, b.used>>20, b.limit>>20)
	}
	b.used += n
	c.held += n
	return nil
}
