package transport

import (
	"reflect"

	"github.com/danielgtaylor/huma/v2"
)

// Optional is a parameter that may be left out.
type Optional[T any] struct {
	Value T
	Given bool
}

// Schema implements huma.SchemaProvider.
func (o Optional[T]) Schema(r huma.Registry) *huma.Schema {
	return huma.SchemaFromType(r, reflect.TypeOf(o.Value))
}

// Receiver implements huma.ParamWrapper.
func (o *Optional[T]) Receiver() reflect.Value { return reflect.ValueOf(&o.Value).Elem() }

// OnParamSet implements huma.ParamReactor.
func (o *Optional[T]) OnParamSet(given bool, _ any) { o.Given = given }

// Pointer returns nil if the parameter was left out.
func (o *Optional[T]) Pointer() *T {
	if !o.Given {
		return nil
	}
	return &o.Value
}
