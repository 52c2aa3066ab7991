package redact

// A Kind is a kind of text that is replaced.
type Kind string

const (
	Hosts      Kind = "hosts"
	Domains    Kind = "domains"
	Machines   Kind = "machines"
	Addresses  Kind = "addresses"
	Users      Kind = "users"
	Paths      Kind = "paths"
	Arguments  Kind = "arguments"
	Containers Kind = "containers"
	Labels     Kind = "labels"
	Instances  Kind = "instances"
	Names      Kind = "names"
	Texts      Kind = "texts"
	Help       Kind = "help"
	Words      Kind = "words"
)

// Kinds lists all kinds, with their titles.
var Kinds = []struct {
	Kind  Kind
	Title string
}{
	{Hosts, "Host names"}, {Domains, "Domain names"}, {Machines, "Machine ids"}, {Addresses, "Addresses (IPv4, IPv6, MAC)"},
	{Users, "Users and groups"}, {Paths, "Paths"}, {Arguments, "Arguments of processes"}, {Containers, "Containers and images"},
	{Labels, "Labels"}, {Instances, "Instance names"}, {Names, "Names of own metrics"}, {Texts, "Free texts"}, {Help, "Help texts"}, {Words, "Own words"},
}

// stems are the beginnings of pseudonyms.
var stems = map[Kind]string{
	Hosts: "host", Domains: "domain", Machines: "id", Addresses: "addr", Users: "user", Paths: "p", Arguments: "args",
	Containers: "ctr", Labels: "label", Instances: "inst", Names: "n", Texts: "text", Help: "help", Words: "word",
}

// known reports whether a kind exists.
func known(k Kind) bool { return stems[k] != "" }
