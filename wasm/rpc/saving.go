package rpc

import (
	"pcpscope/core/api"
	"pcpscope/core/pcp"
)

// A SaveOrder is what the engine hands to the program that saves: a job.Job
// with the files of its archives in place of these.
type SaveOrder struct {
	Query      api.SaveQuery `json:"query"`
	Texts      []string      `json:"texts"` // of RedactText
	Start      pcp.Time      `json:"start"`
	End        pcp.Time      `json:"end"`
	Every      pcp.Time      `json:"every"`
	Name       string        `json:"name"`
	Host       string        `json:"host"`
	Archives   []SaveArchive `json:"archives"` // in order of their starts, and behind them those that only lend
	Parts      int           `json:"parts"`    // how many are saved
	Lanes      int           `json:"lanes"`    // how many compressed ones are read at once
	MemoryRoom float64       `json:"memoryRoom"`
}

// A SaveArchive is the files of one archive.
type SaveArchive struct {
	Name    string       `json:"name"`
	Meta    *SaveFile    `json:"meta"`
	Index   *SaveFile    `json:"index"`
	Volumes []SaveVolume `json:"volumes"`
	Lender  int          `json:"lender"` // number of the archive whose metadata it has borrowed; -1 for none
}

// A SaveFile is a file, which is asked for by its number.
type SaveFile struct {
	Name   string  `json:"name"`
	Bytes  float64 `json:"bytes"`
	Number int     `json:"number"`
}

// A SaveVolume is a data volume.
type SaveVolume struct {
	File   SaveFile `json:"file"`
	Number int      `json:"number"`
}
