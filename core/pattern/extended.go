package pattern

// Extended reports whether an expression for a derived metric may use what PCP's
// own language lacks, so that its tools would refuse it: our functions,
// aggregates of anything but a metric's name, exponents. It is here because the
// page, which offers command lines, does not link the parser; a test of package
// derived compares it with the functions there.
func Extended(expression string) bool {
	return extension().MatchString(ofName().ReplaceAllString(expression, " "))
}

var (
	extension = New(`\b(topn|percentile|median|p90|p95|p99|movavg|movslope|slope|tally|sum|avg|max|min|count)\(|(^|[^A-Za-z0-9_.[])[0-9]+(\.[0-9]*)?[eE][-+]?[0-9]`)
	ofName    = New(`\b(sum|avg|max|min|count)\(\s*[A-Za-z][A-Za-z0-9_.]*\s*\)`)
)
