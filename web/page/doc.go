// Package page connects the application to the browser's page: URL and history, files and
// storage, embedding, keyboard, and the engine's worker.
package page
