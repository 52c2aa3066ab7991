// Package house has no code: its tests keep the rules that hold for the
// repository as a whole.
package house
