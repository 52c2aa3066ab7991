// Package web is the user interface. Run shows it; the rooms below have the
// rest, and README.md says what is in which.
package web
