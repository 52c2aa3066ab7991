// Package ui is the components: they show the application and pass on what the
// user does. Of each the template (.vugu), the code beside it and what
// vugugen makes of both (_gen.go, committed) lie next to each other.
package ui
