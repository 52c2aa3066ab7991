package archive

import "iter"

// A table maps keys to values. While there are few it is a list: a folder may
// hold tens of thousands of archives with a metric or two in each, and a map
// takes hundreds of bytes for the first. Its zero value is empty.
type table[K comparable, V any] struct {
	few  []entry[K, V]
	many map[K]V // nil while there are few
}

type entry[K comparable, V any] struct {
	key K
	val V
}

const fewEntries = 8 // as many as a map's smallest group holds

// expect makes room for n keys.
func (t *table[K, V]) expect(n int) {
	if n > fewEntries {
		t.many = make(map[K]V, n)
	}
}

// get returns the value of a key, the zero value for none.
func (t *table[K, V]) get(key K) V {
	val, _ := t.find(key)
	return val
}

// find returns the value of a key, and whether the table has it.
func (t *table[K, V]) find(key K) (val V, known bool) {
	if t.many != nil {
		val, known = t.many[key]
		return val, known
	}
	for i := range t.few {
		if t.few[i].key == key {
			return t.few[i].val, true
		}
	}
	return val, false
}

// set adds a key that the table does not have.
func (t *table[K, V]) set(key K, val V) {
	switch {
	case t.many != nil:
		t.many[key] = val
		return
	case len(t.few) < fewEntries:
		t.few = append(t.few, entry[K, V]{key, val})
		return
	}
	t.many = make(map[K]V, 2*fewEntries)
	for _, e := range t.few {
		t.many[e.key] = e.val
	}
	t.few = nil
	t.many[key] = val
}

func (t *table[K, V]) len() int { return len(t.few) + len(t.many) }

// all goes through the table in no particular order.
func (t *table[K, V]) all() iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		for _, e := range t.few {
			if !yield(e.key, e.val) {
				return
			}
		}
		for k, v := range t.many {
			if !yield(k, v) {
				return
			}
		}
	}
}
