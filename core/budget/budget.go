// Package budget keeps account of memory. What a program gets from WebAssembly
// is limited, and running out of it ends the program: whatever may become
// large asks first.
package budget

import (
	"sync"

	"pcpscope/core/pcp"
)

// A Budget bounds the memory of all claims on it together.
type Budget struct {
	mu          sync.Mutex
	used, limit int64
}

// New returns a budget of that many bytes.
func New(limit int64) *Budget { return &Budget{limit: limit} }

// Used returns how many bytes are claimed, and Limit how many may be.
func (b *Budget) Used() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.used
}

func (b *Budget) Limit() int64 { return b.limit }

// Left returns how many bytes are not claimed yet.
func (b *Budget) Left() int64 { return max(0, b.limit-b.Used()) }

// Claim returns a claim on the budget, which holds nothing yet. It leaves
// spare bytes to others: what stays for long must not take the room of what
// works with it. A nil budget gives a nil claim.
func (b *Budget) Claim(spare int64) *Claim {
	if b == nil {
		return nil
	}
	return &Claim{of: b, spare: spare}
}

// A Claim is the memory of one thing. A nil *Claim is one without bounds.
type Claim struct {
	of    *Budget
	spare int64
	held  int64 // guarded by of.mu
}

// Take claims n more bytes, of which use may be made once it has returned nil;
// a negative n gives them back. The error is a *pcp.Fault, OutOfMemory.
func (c *Claim) Take(n int64) error {
	if c == nil {
		return nil
	}
	c.of.mu.Lock()
	defer c.of.mu.Unlock()
	return c.take(n)
}

// Set claims n bytes in place of those that the claim holds. Fewer can always
// be had; where it fails the claim is what it was.
func (c *Claim) Set(n int64) error {
	if c == nil {
		return nil
	}
	c.of.mu.Lock()
	defer c.of.mu.Unlock()
	return c.take(n - c.held)
}

// Force is Set for memory that is in use already, whether there is room for it
// or not: others get the less.
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

// Release gives all of the claim back. It can be used again.
func (c *Claim) Release() { c.Set(0) }

func (c *Claim) take(n int64) error {
	b := c.of
	if n > 0 && n > b.limit-b.used-c.spare {
		return pcp.Faultf(pcp.OutOfMemory, "There is no room for %d MiB more: %d MiB of memory are in use, of %d that may be. Close something that is open, or give less at once.",
			(n+1<<20-1)>>20, b.used>>20, b.limit>>20)
	}
	b.used += n
	c.held += n
	return nil
}
