// Package web is the user interface. Run shows it; the packages below do the
// rest, and README.md lists them.
package web
