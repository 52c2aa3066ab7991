package pattern

// Names of block devices, filesystems and network interfaces that are not hardware. The
// interfaces are those that pmchart's views leave out, and newer ones of
// containers and macOS.
const (
	VirtualDisks = `^(loop|ram|zram|sr|fd)`
	Images       = `^.dev.(loop|sr|scd)[0-9]`         // filesystems in files and on CDs, without slashes to be escaped
	CDROMs       = `^/([a-z]+/)*(cdrom|CDROM)[0-9]*$` // where CDs are mounted
	Loopback     = `^lo[0-9]*$`
	VirtualNICs  = `^(lo[0-9]*$|sl[0-9]|ppp|sit|gif|stf|wlt|tun|virbr|vnet|vmnet|veth|docker|br-|cni|cali|flannel|dummy|ifb|utun|awdl|llw|anpi)`
)
