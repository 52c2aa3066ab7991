// Package ui contains the components: they show the application and pass on
// user actions. For each, the template (.vugu), its code, and what vugugen
// generates from the template (_gen.go, committed) lie next to each other.
package ui
