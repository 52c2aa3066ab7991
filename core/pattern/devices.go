package pattern

// Names of block devices, filesystems and network interfaces that are not hardware. Disks
// have the partitions that iostat2pcp(1) imports beside them: the kernel's agent keeps
// those apart. The interfaces are those that pmchart's views leave out, newer ones of
// containers, of Windows and macOS, and those whose traffic a physical one has, too:
// bridges, bonds, VLANs, taps and tunnels. Of a name with blanks matchinst has the first
// word only (docs/spec/derived.md), so that this has to match, too.
const (
	VirtualDisks = `^(loop|ram|zram|sr|scd|fd|(s|v)d[a-z][a-z]?[0-9]|hd[a-z][0-9]|(nvme[0-9]+n|mmcblk|cciss.c[0-9]+d)[0-9]+p[0-9])`
	Images       = `^.dev.(loop|sr|scd)[0-9]`                          // filesystems in files and on CDs, without slashes to be escaped
	Pseudo       = `^(devfs|fdescfs|(lin)?procfs|linsysfs)$|^map( |$)` // of macOS and FreeBSD: what the kernel shows as files, and where autofs will mount
	CDROMs       = `^/([a-z]+/)*(cdrom|CDROM)[0-9]*$`                  // where CDs are mounted
	Loopback     = `^lo[0-9]*$`
	CommonNICs   = `^(lo[0-9]*$|sl[0-9]|sit|stf|wlt|u?tun|v(irbr|m?net|eth|mbr|x?lan)|d(ocker|ummy)|b(ond|r[-0-9i])|c(ni|ali|ili)|a(wdl|npi|ggr)|l(lw|agg|x[cd])|g(if|en|re)|p(pp|odman)|t(eam|ap)|fw(br|pr|ln)|macv|i(fb|p6|pv)|flannel|wg[0-9]|ovs)|^[a-z0-9]+[.][0-9]+$` // of VirtualNICs what pmie(1) can read: up to 255 characters
	VirtualNICs  = CommonNICs + `|^(antrea-|azv|cbr[0-9]|e(nc[0-9]$|ni[0-9a-f]|pair)|incus|ipsec|isatap|kube-|MS( TCP|$)|nerdctl|nodelocaldns|p(air|flog|fsync)|q(br|v[bo]|[gr]-)|Software( Loopback|$)|tailscale|Teredo|trunk|vbox|vEthernet|weave|x(api|enbr)|zt)`
)
