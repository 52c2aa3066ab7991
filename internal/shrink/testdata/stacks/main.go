// Command stacks leans on the tables that the runtime needs to move and scan
// stacks, to unwind and to recover. It prints what came of it.
package main

import (
	"fmt"
	"runtime"
)

type node struct {
	next  map[string]*node
	words []int
}

func chain(n int) *node {
	t := &node{words: make([]int, n), next: map[string]*node{}}
	if n > 0 {
		t.next["x"] = chain(n - 1)
	}
	return t
}

// deep keeps pointers from frame to frame of a stack that grows, so that
// moving it must find all of them.
func deep(n int, above *int) int {
	if n == 0 {
		runtime.GC()
		return 1 + *above
	}
	x := n
	return deep(n-1, &x) + *above
}

func caught(f func()) (what string) {
	defer func() { what = fmt.Sprint(recover()) }()
	f()
	return ""
}

func main() {
	sums := make(chan int)
	for range 10 {
		go func() {
			sum := deep(300, new(int))
			for range 10 {
				sum += len(chain(50).words)
				runtime.Gosched()
			}
			sums <- sum
		}()
	}
	total := 0
	for range 10 {
		total += <-sums
	}
	runtime.GC()
	fmt.Println(total, deep(3000, new(int)))
	var none []int
	var nobody *node
	fmt.Println(caught(func() { _ = none[total] }))
	fmt.Println(caught(func() { nobody.words = nil }))
	pc, _, _, ok := runtime.Caller(0)
	fmt.Println(ok, runtime.FuncForPC(pc).Name())
}
