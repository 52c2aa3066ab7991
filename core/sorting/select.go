package sorting

// Select returns the value that would be at index k of a list in ascending
// order. It takes linear time, much less than sorting, and reorders the list.
func Select[T ~int64](list []T, k int) T {
	draw := uint32(len(list)) | 1 // random enough to choose pivots
	for lo, hi := 0, len(list); ; {
		draw ^= draw << 13
		draw ^= draw >> 17
		draw ^= draw << 5
		pivot := list[lo+int(draw%uint32(hi-lo))]
		smaller, larger := lo, hi // the range of values equal to the pivot
		for i := lo; i < larger; {
			switch v := list[i]; {
			case v < pivot:
				list[i], list[smaller] = list[smaller], v
				smaller++
				i++
			case v > pivot:
				larger--
				list[i], list[larger] = list[larger], v
			default:
				i++
			}
		}
		switch {
		case k < smaller:
			hi = smaller
		case k < larger:
			return pivot
		default:
			lo = larger
		}
	}
}
