// Package archive reads and writes the archives of Performance Co-Pilot,
// versions 2 and 3. It uses the terms of LOGARCHIVE(5).
//
// An archive is a set of files with one base name: metadata, data volumes and a
// temporal index. Groups sorts files into archives, Open reads what an archive
// says about itself (labels, metrics, instance domains, help), and Load reads
// all its values, once, into a change store:
//
//	groups, rest := archive.Groups(members)
//	a, err := archive.Open(ctx, groups[0])
//	err = a.Load(ctx, nil)
//	obs, ok := a.Observations(pmid)
//
// The change store relies on one fact: the records of an archive repeat each
// other almost byte for byte. Each value set is compared with the metric's last
// one, and only differences are stored. The result, runs of equal observations
// (package series), is lossless.
//
// Damage does not stop a reader. What could not be read, and what that costs,
// is in Problems; an error from Open means that nothing could be read at all.
package archive
