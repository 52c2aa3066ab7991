package core_test

import (
	"context"
	"fmt"
	"log"

	"pcpscope/core"
	"pcpscope/core/api"
)

// sample opens the sample archive.
func sample() (*core.Session, api.Source) {
	session := core.NewSession(core.Options{})
	opened, _, err := session.OpenPath(context.Background(), nil, "../testdata/live/web01")
	if err != nil {
		log.Fatal(err)
	}
	return session, opened.Sources[0]
}

// A file, a folder, a container or the base name of an archive is opened by
// its path; unusable files are returned with the reason.
func ExampleSession_OpenPath() {
	session := core.NewSession(core.Options{})
	opened, files, err := session.OpenPath(context.Background(), nil, "../testdata/live/web01")
	if err != nil {
		log.Fatal(err)
	}
	defer files.Close()
	for _, source := range opened.Sources {
		fmt.Println(source.Kind, source.Name, "of", source.Host, "from", source.Start.Std().UTC().Format("2006-01-02 15:04"))
	}
	fmt.Println(len(opened.Rejected), "rejected")
	// Output:
	// archive web01 of pcp-testhost from 2026-11-21 03:49
	// 0 rejected
}

// Metrics below a name, with what the archive says of them.
func ExampleSession_Metrics() {
	session, source := sample()
	metrics, err := session.Metrics(source.ID, "kernel.all.load")
	if err != nil {
		log.Fatal(err)
	}
	for _, m := range metrics {
		fmt.Println(m.Name, m.Type, m.Semantics, "-", m.Oneline)
		instances, err := session.Instances(source.ID, *m.InDom)
		if err != nil {
			log.Fatal(err)
		}
		for _, in := range instances {
			fmt.Println(in.ID, in.Name)
		}
	}
	// Output:
	// kernel.all.load FLOAT instant - 1, 5 and 15 minute load average
	// 1 1 minute
	// 5 5 minute
	// 15 15 minute
}

// A counter as a rate every ten seconds, interpolated as in PCP's tools. NaN
// where there is no value.
func ExampleSession_Fetch() {
	session, source := sample()
	frame, err := session.Fetch(context.Background(), api.Query{
		Source: source.ID, Metrics: []string{"kernel.all.pswitch"}, Start: &api.When{Text: "1min"}, Interval: &api.When{Text: "10sec"}, Count: 3, Convert: "rate",
	}, nil)
	if err != nil {
		log.Fatal(err)
	}
	column := frame.Columns[0]
	for i, seconds := range frame.Times {
		fmt.Printf("%2.0f s  %.0f %s\n", seconds, column.Values[i], column.Units)
	}
	// Output:
	//  0 s  NaN count / sec
	// 10 s  23450 count / sec
	// 20 s  21366 count / sec
}

// Averages over time, extremes and percentiles, as in pmlogsummary(1).
func ExampleSession_Summary() {
	session, source := sample()
	summary, err := session.Summary(context.Background(), api.SummaryQuery{Source: source.ID, Metrics: []string{"kernel.all.load"}}, nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, s := range summary {
		fmt.Printf("%-9s  average %.3f  p95 %.2f  maximum %.2f\n", s.Instance.Name, s.TimeAverage, s.P95, s.Maximum)
	}
	// Output:
	// 1 minute   average 2.141  p95 5.02  maximum 5.38
	// 5 minute   average 2.413  p95 3.01  maximum 3.05
	// 15 minute  average 2.023  p95 2.19  maximum 2.21
}

// What differs between two windows, the largest effects first.
func ExampleSession_Compare() {
	session, source := sample()
	at := func(text string) *api.When { return &api.When{Text: text} }
	comparison, err := session.Compare(context.Background(), api.CompareQuery{
		Source: source.ID, AStart: at("0sec"), AEnd: at("2min"), BStart: at("3min"), BEnd: at("5min"),
	}, nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, change := range comparison.Changes {
		if change.Family == "CPU and tasks" {
			fmt.Printf("%s: median %.2f, then %.2f\n", change.Series(), change.MedianA, change.MedianB)
			break
		}
	}
	// Output:
	// kernel.all.cpu.user: median 1.18, then 0.73
}
