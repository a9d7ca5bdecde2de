package knowledge

import "reflect"

// Merge returns the base with a site's own knowledge on top. A site entry replaces the entry of its
// id; one that says "extends: true" adds to it: what it gives stands instead, its lists come first.
// Neither argument is changed.
func Merge(base, site *Base) *Base {
	return &Base{
		Version:  base.Version + "+" + site.Version,
		Causes:   merge(base.Causes, site.Causes, func(c *Cause) (string, bool) { return c.ID, c.Extends }),
		Remedies: merge(base.Remedies, site.Remedies, func(r *Remedy) (string, bool) { return r.ID, r.Extends }),
	}
}

func merge[T any](base, site []*T, key func(*T) (id string, extends bool)) []*T {
	out := append([]*T(nil), base...)
	place := make(map[string]int, len(out))
	for i, e := range out {
		id, _ := key(e)
		place[id] = i
	}
	for _, e := range site {
		id, extends := key(e)
		i, known := place[id]
		switch {
		case !known:
			place[id] = len(out)
			out = append(out, e)
		case extends:
			out[i] = extend(out[i], e)
		default:
			out[i] = e
		}
	}
	return out
}

// extend returns base with the fields that more gives.
func extend[T any](base, more *T) *T {
	out := *base
	dst, src := reflect.ValueOf(&out).Elem(), reflect.ValueOf(more).Elem()
	for i := range src.NumField() {
		switch f := src.Field(i); {
		case f.IsZero():
		case f.Kind() == reflect.Slice:
			both := reflect.MakeSlice(f.Type(), 0, f.Len()+dst.Field(i).Len())
			dst.Field(i).Set(reflect.AppendSlice(reflect.AppendSlice(both, f), dst.Field(i)))
		default:
			dst.Field(i).Set(f)
		}
	}
	return &out
}
