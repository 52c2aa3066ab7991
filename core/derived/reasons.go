package derived

import (
	"pcpscope/core/series"
)

// reasons converts a column's misses to the form of a frame.
func (e *evaluation) reasons(m []miss) ([]series.Why, *series.Cause) {
	why := carve(&e.whys, len(m))
	cause := &series.Cause{Why: carve(&e.whys, len(m))}
	one := miss(0) // the operand, while there is only one
	for i, w := range m {
		operand := w >> 8
		if operand == 0 {
			why[i] = w.why()
			continue
		}
		why[i], cause.Why[i] = series.OperandMissing, w.why()
		if operand != one {
			if one != 0 {
				return e.several(m, why, cause)
			}
			one = operand
		}
	}
	if one == 0 {
		return why, nil
	}
	if e.zeros == nil {
		e.zeros = make([]uint8, e.n)
	}
	cause.Operands, cause.Which = e.operandNames(one), e.zeros
	return why, cause
}

// several is reasons for a column with misses of more than one operand.
func (e *evaluation) several(m []miss, why []series.Why, cause *series.Cause) ([]series.Why, *series.Cause) {
	cause.Which = make([]uint8, len(m))
	var number [256]uint8 // of an operand in the cause, counted from 1
	for i, w := range m {
		operand := w >> 8
		if operand == 0 {
			why[i] = w.why()
			continue
		}
		if number[operand] == 0 {
			cause.Operands = append(cause.Operands, e.operandNames(operand)...)
			number[operand] = uint8(len(cause.Operands))
		}
		why[i], cause.Why[i], cause.Which[i] = series.OperandMissing, w.why(), number[operand]-1
	}
	return why, cause
}

// operandNames returns the name of an operand as a list that is shared.
func (e *evaluation) operandNames(number miss) []string {
	if int(number) > len(e.operands) || number == 255 {
		return []string{"an operand"}
	}
	return e.operands[number-1 : number : number]
}

// carve takes n zeroed elements from an arena.
func carve[T any](arena *[]T, n int) []T {
	if len(*arena) < n {
		*arena = make([]T, max(1, min(64, 1<<16/max(n, 1)))*n)
	}
	part := (*arena)[:n:n]
	*arena = (*arena)[n:]
	return part
}
