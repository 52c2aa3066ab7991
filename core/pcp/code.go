package pcp

import "fmt"

// A Code is an error code as PCP logs it instead of values: -12345-n for PCP's
// own errors, -errno of the collector's host between -1 and -12344. Unknown
// codes are preserved. See spec/archive.md section 7.
type Code int32

const (
	ErrAppVersion Code = -12350
	ErrValue      Code = -12351
	ErrConv       Code = -12362
	ErrTrunc      Code = -12363
	ErrSign       Code = -12364
	ErrType       Code = -12397
)

type codeText struct{ symbol, text string }

var codes = map[Code]codeText{
	-12345: {"PM_ERR_GENERIC", "unspecified error"},
	-12346: {"PM_ERR_PMNS", "the name space could not be parsed"},
	-12347: {"PM_ERR_NOPMNS", "the name space is unavailable"},
	-12348: {"PM_ERR_DUPPMNS", "the name space was loaded twice"},
	-12349: {"PM_ERR_TEXT", "no help text"},
	-12350: {"PM_ERR_APPVERSION", "not supported by the monitored software"},
	-12351: {"PM_ERR_VALUE", "value missing"},
	-12353: {"PM_ERR_TIMEOUT", "the collector did not answer in time"},
	-12354: {"PM_ERR_NODATA", "the archive file is empty"},
	-12355: {"PM_ERR_RESET", "the collector was reset or reconfigured"},
	-12357: {"PM_ERR_NAME", "unknown metric name"},
	-12358: {"PM_ERR_PMID", "unknown or invalid metric"},
	-12359: {"PM_ERR_INDOM", "unknown or invalid instance domain"},
	-12360: {"PM_ERR_INST", "unknown or invalid instance"},
	-12361: {"PM_ERR_UNIT", "invalid units"},
	-12362: {"PM_ERR_CONV", "impossible conversion"},
	-12363: {"PM_ERR_TRUNC", "the value does not fit the type asked for"},
	-12364: {"PM_ERR_SIGN", "negative value for an unsigned type"},
	-12365: {"PM_ERR_PROFILE", "the metric requires explicit instances"},
	-12366: {"PM_ERR_IPC", "protocol failure"},
	-12368: {"PM_ERR_EOF", "connection closed"},
	-12369: {"PM_ERR_NOTHOST", "needs a live source"},
	-12370: {"PM_ERR_EOL", "end of the archive"},
	-12371: {"PM_ERR_MODE", "invalid mode"},
	-12372: {"PM_ERR_LABEL", "bad label record"},
	-12373: {"PM_ERR_LOGREC", "corrupt record"},
	-12374: {"PM_ERR_NOTARCHIVE", "needs an archive"},
	-12375: {"PM_ERR_LOGFILE", "a file of the archive is missing"},
	-12376: {"PM_ERR_NOCONTEXT", "invalid context"},
	-12377: {"PM_ERR_PROFILESPEC", "invalid instance profile"},
	-12378: {"PM_ERR_PMID_LOG", "the metric has no descriptor in the archive"},
	-12379: {"PM_ERR_INDOM_LOG", "the instance domain is not in the archive at this time"},
	-12380: {"PM_ERR_INST_LOG", "the instance is not in the archive at this time"},
	-12381: {"PM_ERR_NOPROFILE", "profile missing"},
	-12386: {"PM_ERR_NOAGENT", "no agent for this domain"},
	-12387: {"PM_ERR_PERMISSION", "not permitted"},
	-12388: {"PM_ERR_CONNLIMIT", "too many connections"},
	-12389: {"PM_ERR_AGAIN", "temporarily unavailable"},
	-12390: {"PM_ERR_ISCONN", "already connected"},
	-12391: {"PM_ERR_NOTCONN", "not connected"},
	-12392: {"PM_ERR_NEEDPORT", "a port is required"},
	-12394: {"PM_ERR_NONLEAF", "the name is not a leaf"},
	-12397: {"PM_ERR_TYPE", "unknown or invalid type"},
	-12398: {"PM_ERR_THREAD", "not allowed in threaded programs"},
	-12399: {"PM_ERR_NOCONTAINER", "no such container"},
	-12400: {"PM_ERR_BADSTORE", "bad input to a store request"},
	-12401: {"PM_ERR_LOGOVERLAP", "archives overlap in time"},
	-12402: {"PM_ERR_LOGHOST", "archives are from different hosts"},
	-12404: {"PM_ERR_LOGCHANGETYPE", "the metric's type changed"},
	-12405: {"PM_ERR_LOGCHANGESEM", "the metric's semantics changed"},
	-12406: {"PM_ERR_LOGCHANGEINDOM", "the metric's instance domain changed"},
	-12407: {"PM_ERR_LOGCHANGEUNITS", "the metric's units changed"},
	-12408: {"PM_ERR_NEEDCLIENTCERT", "a client certificate is required"},
	-12409: {"PM_ERR_BADDERIVE", "bad derived metric"},
	-12410: {"PM_ERR_NOLABELS", "labels are not supported"},
	-12411: {"PM_ERR_PMDAFENCED", "the agent is fenced"},
	-12412: {"PM_ERR_RECTYPE", "unexpected record type"},
	-12413: {"PM_ERR_FEATURE", "unsupported feature"},
	-12414: {"PM_ERR_TLS", "TLS failure"},
	-12415: {"PM_ERR_ARG", "bad argument"},
	-12442: {"PM_ERR_BOTCH", "internal inconsistency"},
	-12443: {"PM_ERR_TOOSMALL", "list too short"},
	-12444: {"PM_ERR_TOOBIG", "result too large"},
	-12445: {"PM_ERR_FAULT", "QA fault"},
	-13393: {"PM_ERR_PMDAREADY", "the agent became ready"},
	-13394: {"PM_ERR_PMDANOTREADY", "the agent is not ready"},
	-21344: {"PM_ERR_NYI", "not implemented"},
}

// Symbol returns PCP's name of the code: "PM_ERR_APPVERSION", "errno 32" for an
// operating system error, "code 7" for anything else.
func (c Code) Symbol() string {
	if t, ok := codes[c]; ok {
		return t.symbol
	}
	if c < 0 && c > -12345 {
		return fmt.Sprintf("errno %d", -int32(c))
	}
	return fmt.Sprintf("code %d", int32(c))
}

// String describes the code.
func (c Code) String() string {
	if t, ok := codes[c]; ok {
		return t.text
	}
	return c.Symbol()
}
