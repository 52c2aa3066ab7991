// Package container finds the files of an archive, however they are delivered:
// compressed with any of PCP's compressors, packed into tar or zip, named by a
// folio, or among other files. It looks only at names and first bytes, and does
// not interpret archives.
package container
