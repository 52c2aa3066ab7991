package canvas

import "reflect"

// A Call is the name of a function of the scripts; its type gives request and reply.
type Call[Request, Reply any] string

// All functions that Go calls: interface Calls in canvas.d.ts.
const (
	ShowTimeline Call[Timeline, None]       = "timeline" // the window, and everything on the time axis
	Draw         Call[Drawn, MissingPanels] = "sync"     // after each drawing of the page
	ShowPanel    Call[Panel, None]          = "panel"    // the data of one panel
	ShowPulse    Call[Pulse, None]          = "pulse"    // the overview strip
	ShowSparks   Call[Sparks, None]         = "sparks"   // sparklines
	ShowTable    Call[Table, None]          = "drawer"   // the drawer's table
	ShowCompare  Call[Compared, None]       = "compare"  // the comparison of two windows
	ShowDays     Call[Days, None]           = "days"     // days at a glance
	Stick        Call[Sticky, None]         = "sticky"   // whether the cursor stays when the pointer leaves the charts
	ToTop        Call[None, None]           = "top"      // scrolls the panels to the top
	Focus        Call[Target, None]         = "focus"    // an element by its data-testid; "page" for the main part, "back" for where it was before the search
	FocusSoon    Call[Target, None]         = "focusSoon"
	Reveal       Call[Target, None]         = "reveal"  // scrolls to an element by its ID, until the user scrolls
	Refuse       Call[Refusals, None]       = "refused" // rejected files, on the empty page
	Remember     Call[Recent, None]         = "recent"  // a newly opened source
	ShowMissing  Call[MissingSources, None] = "missing" // sources that a link or session needs
	TakePicture  Call[Picture, Drawable]    = "picture" // of a panel, as a file
)

// Calls lists all calls, for tests.
func Calls() []Method {
	return []Method{
		method(ShowTimeline), method(Draw), method(ShowPanel), method(ShowPulse), method(ShowSparks), method(ShowTable), method(ShowCompare), method(ShowDays),
		method(Stick), method(ToTop), method(Focus), method(FocusSoon), method(Reveal), method(Refuse), method(Remember), method(ShowMissing), method(TakePicture),
	}
}

// A Method is a Call whose types are values.
type Method struct {
	Name           string
	Request, Reply reflect.Type
}

func method[Request, Reply any](c Call[Request, Reply]) Method {
	return Method{string(c), reflect.TypeFor[Request](), reflect.TypeFor[Reply]()}
}
