// Package page ties the application to the browser's page around it: the
// address and the history, files and storage, what is embedded where, the
// keyboard, the worker that answers.
package page
