package archive

// A slab allocates values of one type in blocks: there may be hundreds of thousands
// of them, and all are freed together.
type slab[T any] struct {
	room []T
	made int
}

func (s *slab[T]) new() *T {
	if len(s.room) == 0 {
		const maxRoom = 128
		s.room = make([]T, min(1+s.made/4, maxRoom)) // a quarter more than there are
	}
	v := &s.room[0]
	s.room = s.room[1:]
	s.made++
	return v
}
