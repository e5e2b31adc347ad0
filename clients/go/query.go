package ballast

import (
	"fmt"
	"iter"
	"net/url"
	"reflect"
)

// queryOf returns the parameters that are set.
func queryOf[T any](parameters *T) url.Values {
	q := url.Values{}
	if parameters == nil {
		return q
	}
	v := reflect.ValueOf(*parameters)
	for i := range v.NumField() {
		name, field := v.Type().Field(i).Tag.Get("query"), v.Field(i)
		switch field.Kind() {
		case reflect.String:
			if field.String() != "" {
				q.Set(name, field.String())
			}
		case reflect.Slice:
			for j := range field.Len() {
				q.Add(name, fmt.Sprint(field.Index(j)))
			}
		case reflect.Pointer:
			if !field.IsNil() {
				q.Set(name, fmt.Sprint(field.Elem()))
			}
		default:
		}
	}
	return q
}

// pageSize is how many rows a page of an iterator has, unless the caller sets limit.
const pageSize = 100

// pages iterates over the rows of all pages.
func pages[T any](limit, offset *int64, read func(limit, offset *int64) ([]T, int64, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		size, at := int64(pageSize), int64(0)
		if limit != nil {
			size = *limit
		}
		if offset != nil {
			at = *offset
		}
		for {
			rows, total, err := read(&size, &at)
			if err != nil {
				var none T
				yield(none, err)
				return
			}
			for _, row := range rows {
				if !yield(row, nil) {
					return
				}
			}
			at += int64(len(rows))
			if len(rows) == 0 || at >= total {
				return
			}
		}
	}
}
