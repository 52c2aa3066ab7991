// Package house has no code: its tests enforce rules for the repository as a
// whole.
package house
