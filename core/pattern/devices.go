package pattern

// Names of block devices, filesystems and network interfaces that are not hardware. The
// interfaces are those that pmchart's views leave out, newer ones of containers and
// macOS, and those whose traffic a physical one has, too: bridges, bonds, VLANs, taps
// and tunnels. pmie(1) reads no pattern of more than 255 characters.
const (
	VirtualDisks = `^(loop|ram|zram|sr|fd)`
	Images       = `^.dev.(loop|sr|scd)[0-9]`         // filesystems in files and on CDs, without slashes to be escaped
	CDROMs       = `^/([a-z]+/)*(cdrom|CDROM)[0-9]*$` // where CDs are mounted
	Loopback     = `^lo[0-9]*$`
	VirtualNICs  = `^(lo[0-9]*$|sl[0-9]|sit|stf|wlt|u?tun|v(irbr|m?net|eth|mbr|x?lan)|d(ocker|ummy)|b(ond|r[-0-9i])|c(ni|ali|ili)|a(wdl|npi|ggr)|l(lw|agg|x[cd])|g(if|en|re)|p(pp|odman)|t(eam|ap)|fw(br|pr|ln)|macv|i(fb|p6|pv)|flannel|wg[0-9]|ovs)|^[a-z0-9]+[.][0-9]+$`
)
