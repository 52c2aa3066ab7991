package canvas

import "reflect"

// A Call is the name of something that the scripts do; its type says what
// goes over and what comes back.
type Call[Request, Reply any] string

// All that the scripts do for Go: interface Calls in canvas.d.ts.
const (
	ShowTimeline Call[Timeline, None]    = "timeline" // the window, and all that lies on the time axis
	Draw         Call[Drawn, Wanted]     = "sync"     // after each drawing of the page
	ShowPanel    Call[Panel, None]       = "panel"    // the data of one panel
	ShowPulse    Call[Pulse, None]       = "pulse"    // the strip over the whole span
	ShowSparks   Call[Sparks, None]      = "sparks"   // the small charts beside names
	ShowTable    Call[Table, None]       = "drawer"   // the table below
	ShowCompare  Call[Compared, None]    = "compare"  // what changed between two windows
	ShowDays     Call[Days, None]        = "days"     // days at a glance
	Stick        Call[Sticky, None]      = "sticky"   // the cursor stays where the pointer leaves the charts
	ToTop        Call[None, None]        = "top"      // of the panels
	Focus        Call[Target, None]      = "focus"    // an element by its data-testid; "page" is none
	FocusSoon    Call[Target, None]      = "focusSoon"
	Reveal       Call[Target, None]      = "reveal"  // an element by its ID, until the user moves
	Refuse       Call[Refusals, None]    = "refused" // files, on the empty page
	Remember     Call[Recent, None]      = "recent"  // a source that was opened just now
	Want         Call[Wishes, None]      = "wants"   // what a link or a session asks for
	TakePicture  Call[Picture, Drawable] = "picture" // of a panel, as a file
)

// Calls lists them for those who walk over them.
var Calls = []Method{
	method(ShowTimeline), method(Draw), method(ShowPanel), method(ShowPulse), method(ShowSparks), method(ShowTable), method(ShowCompare), method(ShowDays),
	method(Stick), method(ToTop), method(Focus), method(FocusSoon), method(Reveal), method(Refuse), method(Remember), method(Want), method(TakePicture),
}

// A Method is a Call whose types are values.
type Method struct {
	Name           string
	Request, Reply reflect.Type
}

func method[Request, Reply any](c Call[Request, Reply]) Method {
	return Method{string(c), reflect.TypeFor[Request](), reflect.TypeFor[Reply]()}
}
