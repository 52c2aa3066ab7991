package format

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"testing"

	"pcpscope/internal/inputs"
	"pcpscope/internal/nodejs"
)

// The chart scripts write numbers as this package does, so that an axis and the
// legend next to it agree.
func TestScriptsWriteTheSameNumbers(t *testing.T) {
	type given struct {
		V        string `json:"v"` // JSON has no NaN
		Decimals int    `json:"decimals"`
	}
	rng := rand.New(rand.NewPCG(7, 8))
	values := []float64{0, math.Copysign(0, -1), math.NaN(), math.Inf(1), math.Inf(-1), 0.5, 1.5, 2.5, 0.25, 0.125, 0.05, 0.005, 9999, 10000, 9999.5, 99999.5, 999_950, 1e6, 1e15, 9.99995e14, 999.5, 0.995, 9.99995e17, 2.63359e20, 9.99995e20, 1e21, 3e250}
	for range 3000 {
		values = append(values, math.Ldexp(rng.Float64(), rng.IntN(80)-20), float64(rng.IntN(1_000_000))/100)
	}
	var list []given
	var want [][3]string
	for _, v := range values {
		for _, v := range []float64{v, -v} {
			decimals := rng.IntN(5)
			list = append(list, given{strconv.FormatFloat(v, 'g', -1, 64), decimals})
			want = append(want, [3]string{Number(v, decimals), Brief(v, decimals), Shown{Factor: 1, Decimals: decimals}.For(v).Brief(v)})
		}
	}
	script, err := filepath.Abs("../static/charts/number.js")
	if err != nil {
		t.Fatal(err)
	}
	inputs.Watch(t, "../static/charts")
	node, err := nodejs.Module(fmt.Sprintf(`
import { readFileSync } from "node:fs";
import { decimalsIn, number, short } from %q;
const value = (v) => v.endsWith("Inf") ? (v[0] === "-" ? -Infinity : Infinity) : Number(v);
console.log(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map(({ v, decimals }) => [number(value(v), decimals), short(value(v), decimals), short(value(v), decimalsIn(value(v), decimals))])));`, "file://"+filepath.ToSlash(script)))
	if err != nil {
		t.Skip(err)
	}
	in, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	node.Stdin, node.Stderr = bytes.NewReader(in), &said
	out, err := node.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, said.String())
	}
	var got [][3]string
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatal(err)
	}
	differ := 0
	for i := range want {
		if got[i] != want[i] {
			if differ++; differ <= 20 {
				t.Errorf("%s with %d decimals: script %q, Go %q", list[i].V, list[i].Decimals, got[i], want[i])
			}
		}
	}
	t.Logf("%d numbers compared, %d differ", len(want), differ)
	if len(want) < 12_000 {
		t.Error("fewer than 12,000 numbers were compared")
	}
}
