// Package container gets at the files of an archive, however they come:
// compressed with any of PCP's compressors, packed into tar or zip, named by
// a folio, or lying among other things. It knows names and first bytes, not
// what archives mean.
package container
