package mmv_test

import (
	"fmt"
	"os"

	"pcpscope/core/mmv"
)

func ExampleRead() {
	data, err := os.ReadFile("../../testdata/mmv/acme")
	if err != nil {
		fmt.Println(err)
		return
	}
	f, err := mmv.Read("acme", data)
	if err != nil {
		fmt.Println(err)
		return
	}
	m := f.Metrics[0]
	fmt.Println(m.Name, m.Desc.PMID, m.Desc.Sem, m.Desc.Units, "-", m.Oneline)
	for i, v := range m.Values {
		fmt.Println(" ", f.InDoms[0].Instances[i].Name, v.Bits)
	}
	// Output:
	// mmv.acme.products.count 70.321.7 counter count - Acme factory product throughput
	//   Anvils 776
	//   Rockets 761
	//   Giant_Rubber_Bands 814
}
