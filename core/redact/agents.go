package redact

import (
	"strings"
	"sync"
)

// agents are the first components of the names of metrics that PCP's own agents for the
// system have: such names are public.
const agents = `kernel mem swap swapdev disk network filesys tmpfs nfs nfs3 nfs4 rpc nfsclient proc hotproc cgroup
	containers hinv pmcd pmda pmproxy pmlogger event sample sampledso simple trivial xfs ext4 vfs ipc
	tty quota numa zram zswap sysfs fchost tape jbd2 resource rapl power perfevent lustre infiniband ib
	nvidia amdgpu gpu btrfs zfs qa gfs2 irix origin xpc hw pmie darwin windows acct systemd denki smart
	mounts summary trace shping sendmail mailq roomtemp bcc bpf kvm libvirt dm ds389 elasticsearch
	haproxy json memcache mysql postgresql nginx apache redis bind2 named news nutcracker openvswitch
	oracle pdns postfix rabbitmq rsyslog samba snmp squid unbound vmware zimbra activemq docker podman
	farm hacluster netcheck netfilter statsd uwsgi cisco logger weblog txmon lmsensors sockets hdb
	gluster gpfs gpsd bonding dbping slurm rocestat dmcache dmstats dmthin vdo cifs lio mic mongodb
	mssql resctrl rpm valkey cxfs dmf2 buffer_cache name_cache vnodes udf xlv xvm xbow kaio fcsw`

var ofAgents = sync.OnceValue(func() map[string]bool {
	set := map[string]bool{}
	for name := range strings.FieldsSeq(agents) {
		set[name] = true
	}
	return set
})

// PublicMetric reports whether a metric's name is one of PCP's own.
func PublicMetric(name string) bool {
	first, _, _ := strings.Cut(name, ".")
	return ofAgents()[first] || name == "bpftrace.info" || strings.HasPrefix(name, "bpftrace.info.")
}
