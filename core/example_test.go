package core_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"

	"pcpscope/core"
	"pcpscope/core/api"
)

// The load averages of an archive every two minutes, as JSON.
func Example() {
	session := core.NewSession(core.Options{})
	opened, files, err := session.OpenPath(context.Background(), nil, "../testdata/live/web01")
	if err != nil {
		log.Fatal(err)
	}
	defer files.Close()
	frame, err := session.Fetch(context.Background(), api.Query{
		Source: opened.Sources[0].ID, Metrics: []string{"kernel.all.load"}, Instances: []string{"1 minute"}, Interval: &api.When{Text: "2min"},
	}, nil)
	if err != nil {
		log.Fatal(err)
	}
	text, err := json.Marshal(frame.Columns[0].Instance)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(opened.Sources[0].Host, len(frame.Times), string(text))
	// Output: pcp-testhost 3 {"id":1,"name":"1 minute"}
}
