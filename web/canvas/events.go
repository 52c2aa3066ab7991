package canvas

import (
	"reflect"

	"pcpscope/core/pcp"
	"pcpscope/wasm/rpc"
)

// An Event is a user action on a canvas: one of the types below.
type Event any

type (
	// A Zoom chooses the window.
	Zoom Span
	// An Unzoom returns to the previous window.
	Unzoom None
	// A ZoomBy scales the window by a factor, around a time.
	ZoomBy struct {
		Factor float64 `json:"factor"`
		At     float64 `json:"at"`
	}
	// A Pan moves the window by a fraction of its length.
	Pan struct {
		Share float64 `json:"share"`
	}
	// A Cursor is the time at the pointer; nil: none.
	Cursor struct {
		At *float64 `json:"at"`
	}
	// A Pin pins the cursor; nil: it follows the pointer again.
	Pin struct {
		At *float64 `json:"at"`
	}
	// An Activate makes a panel the one that new metrics are added to.
	Activate struct {
		Panel int `json:"panel"`
	}
	// A NearPanels reports which panels are on or near the screen.
	NearPanels struct {
		Panels []int `json:"panels"`
	}
	// A Scroll reports which rows of the tree are visible.
	Scroll struct {
		First int `json:"first"`
		Rows  int `json:"rows"`
	}
	// A VisibleHits reports how many lines of the search results are visible.
	VisibleHits struct {
		Rows int `json:"rows"`
	}
	// A MoreHits requests more lines of the search results.
	MoreHits None
	// A View is the sort order, filter and columns of the drawer's table.
	View struct {
		Page   string `json:"page"`
		Sort   string `json:"sort"` // name of a column; "" for none
		Down   bool   `json:"down"`
		Filter string `json:"filter"`
	}
	// A ShowColumn shows or hides a column of the drawer's table.
	ShowColumn struct {
		Page  string `json:"page"`
		Name  string `json:"name"`
		Shown bool   `json:"shown"`
	}
	// A Row is a click on a row of the drawer's table.
	Row struct {
		Row int `json:"row"`
	}
	// An Hour is a click on an hour of a day; hour -1 is the day.
	Hour struct {
		Day  int `json:"day"`
		Hour int `json:"hour"`
	}
	// A Pick selects one of the changes between two windows.
	Pick struct {
		Row int `json:"row"`
	}
)

// Events are the event types by name: interface Events in canvas.d.ts.
var Events = map[string]reflect.Type{
	"zoom": reflect.TypeFor[Zoom](), "unzoom": reflect.TypeFor[Unzoom](), "zoomby": reflect.TypeFor[ZoomBy](), "pan": reflect.TypeFor[Pan](),
	"cursor": reflect.TypeFor[Cursor](), "pin": reflect.TypeFor[Pin](), "activate": reflect.TypeFor[Activate](), "see": reflect.TypeFor[NearPanels](),
	"scroll": reflect.TypeFor[Scroll](), "room": reflect.TypeFor[VisibleHits](), "further": reflect.TypeFor[MoreHits](),
	"view": reflect.TypeFor[View](), "column": reflect.TypeFor[ShowColumn](), "row": reflect.TypeFor[Row](), "pick": reflect.TypeFor[Pick](), "hour": reflect.TypeFor[Hour](),
}

// DecodeEvent reads a message of the scripts. Errors are *pcp.Fault of kind argument.
func DecodeEvent(kind string, m rpc.Message) (Event, error) {
	t, ok := Events[kind]
	if !ok {
		return nil, pcp.Faultf(pcp.BadArgument, "The canvases know no event %q.", kind)
	}
	v := reflect.New(t)
	if err := rpc.Decode(m, v.Interface()); err != nil {
		return nil, err
	}
	return v.Elem().Interface(), nil
}
