package shrink

import "encoding/binary"

// firstFunction is the number of the first function in the function table, without
// those that are imported (cmd/link/internal/wasm).
const firstFunction = 0x1000

// known is what the table of functions says of the program's functions.
type known struct {
	sigpanic int64    // the number of the function that panics for a nil pointer
	deferred []int64  // for each function the place that runs what it deferred, 0 if there is none
	depths   [][]byte // for each function how deep its stack is, by place (pcTable)
}

func (m *module) known() (k known, err error) {
	imports, err := m.importedFunctions()
	if err != nil {
		return k, err
	}
	memory, err := readData(m.body(dataSection))
	if err != nil {
		return k, err
	}
	t, err := findTables(memory)
	if err != nil {
		return k, err
	}
	for i := range t.count {
		f, err := t.function(i)
		if err != nil {
			return k, err
		}
		if int(binary.LittleEndian.Uint32(f))-firstFunction != i {
			return k, errNoLines
		}
		k.deferred = append(k.deferred, int64(binary.LittleEndian.Uint32(f[funcDeferred:])))
		depths, err := pcTable(t.pctab, binary.LittleEndian.Uint32(f[funcPCSP:]))
		if err != nil {
			return k, err
		}
		k.depths = append(k.depths, depths)
		if name, err := nameOf(t.names, f); err == nil && name == "runtime.sigpanic" {
			k.sigpanic = int64(imports) + int64(i)
		}
	}
	if k.sigpanic == 0 {
		return k, errNoLines
	}
	return k, nil
}
