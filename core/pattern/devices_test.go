package pattern

import (
	"strings"
	"testing"
)

// Names that Linux distributions, container and virtual machine managers, the BSDs,
// macOS, Solaris, AIX, IRIX and Windows give to devices.
func TestDevices(t *testing.T) {
	for _, tt := range []struct {
		about, pattern string
		out, in        string // names separated by commas
	}{
		{"interfaces", VirtualNICs,
			"lo,lo0,sit0,tun0,utun3,virbr0,vnet1,vmnet8,veth12ab,vlan5,vxlan1,docker0,dummy0,bond0,br-ab12,br0,bridge0,cni0,cali123,cilium_host,awdl0,lagg0,lxcbr0,lxdbr0,ppp0,podman0,team0,tap0,fwbr1,macvtap0,ifb0,ip6tnl0,flannel.1,wg0,ovs-system,eth0.100,vboxnet0,vEthernet (Default Switch),xenbr0,xapi0,qbr12,qvo1,qvb1,qg-1,qr-2,tailscale0,zt5u4y6ejv,ipsec0,nerdctl0,kube-bridge,weave,antrea-gw0,incusbr0,isatap.{1-2},MS TCP Loopback interface,MS,Software Loopback Interface 1,Software,Teredo Tunneling Pseudo-Interface,Teredo,azv12ab,eni0a1b2c3d4e5,cbr0,nodelocaldns,pflog0,pfsync0,enc0,trunk0,pair0,epair0a",
			"eth0,ens3,eno1,enp0s3,enc600,enc1000,enx0,wlan0,wlp3s0,em1,igb0,ix0,re0,en0,ec0,ef0,tg0,hme0,e1000g0,vmx0,vtnet0,xn0,xl0,ib0,usb0,p1p1,wwan0,bnxt0,net0,ent1,Intel[R] 82574L Gigabit Network Connection"},
		{"disks", VirtualDisks,
			"loop0,ram1,zram0,sr0,scd0,fd0,sda1,sdab12,vda2,hda3,nvme0n1p1,mmcblk0p2,cciss/c0d0p1",
			"sda,sdab,cciss/c0d0,vda,hda,hdisk0,nvme0n1,mmcblk0,xvda,xvda1,sd0,dks0d1,da0,ada0,disk0,dasda,md0,dm-0,0 C:,diskdev8-0"},
	} {
		matches := New(tt.pattern)
		for name := range strings.SplitSeq(tt.out, ",") {
			if !matches().MatchString(name) {
				t.Errorf("%s: %s is taken for hardware", tt.about, name)
			}
		}
		for name := range strings.SplitSeq(tt.in, ",") {
			if matches().MatchString(name) {
				t.Errorf("%s: %s is not taken for hardware", tt.about, name)
			}
		}
	}
	if len(CommonNICs) > 255 || !strings.HasPrefix(VirtualNICs, CommonNICs) {
		t.Errorf("pmie(1) does not read %d characters", len(CommonNICs))
	}
}

// The first column of df(1) on macOS 14, FreeBSD 14 and Ubuntu 22.04, which is what agents
// call filesystems.
func TestFilesystemsThatAreAlwaysFull(t *testing.T) {
	full := New(Images + "|" + Pseudo)()
	for name, want := range map[string]bool{
		"/dev/disk3s1s1": false, "devfs": true, "map auto_home": true, "map -hosts": true, "map": true, "maps": false, "//guest@server/share": false,
		"zroot/ROOT/default": false, "zroot": false, "fdescfs": true, "procfs": true, "linprocfs": true, "linsysfs": true, "tmpfs": false, "/dev/gpt/efiboot0": false,
		"/dev/loop3": true, "/dev/sr0": true, "/dev/mapper/vg-maps": false,
	} {
		if full.MatchString(name) != want {
			t.Errorf("%s is left out: %v", name, !want)
		}
	}
}
