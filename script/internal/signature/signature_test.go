package signature_test

import (
	"strings"
	"testing"

	"go.starlark.net/starlark"

	"ballast/script/internal/signature"
)

var momentum = signature.New("momentum", "prices, skip=0, whole=False, scale=1.5")

func TestUnpack(t *testing.T) {
	t.Parallel()
	var prices, scale starlark.Value
	var skip int
	var whole bool
	err := momentum.Unpack(starlark.Tuple{starlark.String("p")}, []starlark.Tuple{{starlark.String("whole"), starlark.True}}, &prices, &skip, &whole, &scale)
	if err != nil || prices != starlark.String("p") || skip != 0 || !whole || scale != starlark.Float(1.5) {
		t.Error(prices, skip, whole, scale, err)
	}
	if got := momentum.String(); got != "momentum(prices, skip=0, whole=False, scale=1.5)" {
		t.Error(got)
	}
}

func TestUnpackRefuses(t *testing.T) {
	t.Parallel()
	one, text := starlark.MakeInt(1), starlark.String("x")
	for _, c := range []struct {
		name   string
		args   starlark.Tuple
		kwargs map[string]starlark.Value
		want   string
	}{
		{"nothing", nil, nil, "momentum: prices is missing: momentum(prices"},
		{"too many", starlark.Tuple{one, one, starlark.True, one, one}, nil, "momentum: got 5 arguments but takes at most 4"},
		{"a near name", starlark.Tuple{one}, map[string]starlark.Value{"skp": one}, "no parameter skp; did you mean skip?"},
		{"a far name", starlark.Tuple{one}, map[string]starlark.Value{"window": one}, "no parameter window: momentum(prices"},
		{"twice", starlark.Tuple{one}, map[string]starlark.Value{"prices": one}, "prices is given twice"},
		{"no integer", starlark.Tuple{one, text}, nil, "skip is a string; an integer is needed"},
		{"a fraction", starlark.Tuple{one, starlark.Float(1.5)}, nil, "skip is 1.5; an integer is needed"},
		{"a large integer", starlark.Tuple{one, starlark.MakeInt64(1 << 40)}, nil, "an integer is needed"},
		{"no boolean", starlark.Tuple{one, one, one}, nil, "whole is a int; True or False is needed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var kwargs []starlark.Tuple
			for k, v := range c.kwargs {
				kwargs = append(kwargs, starlark.Tuple{starlark.String(k), v})
			}
			var prices, scale starlark.Value
			var skip int
			var whole bool
			err := momentum.Unpack(c.args, kwargs, &prices, &skip, &whole, &scale)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}

func TestUnpackKinds(t *testing.T) {
	t.Parallel()
	s := signature.New("panel", "symbol, symbols")
	var symbol string
	var symbols starlark.Iterable
	if err := s.Unpack(starlark.Tuple{starlark.String("SPY"), starlark.NewList(nil)}, nil, &symbol, &symbols); err != nil || symbol != "SPY" || symbols == nil {
		t.Error(symbol, symbols, err)
	}
	for _, args := range []starlark.Tuple{{starlark.MakeInt(1), starlark.NewList(nil)}, {starlark.String("SPY"), starlark.MakeInt(1)}} {
		if err := s.Unpack(args, nil, &symbol, &symbols); err == nil || !strings.Contains(err.Error(), "is needed") {
			t.Error(args, err)
		}
	}
	if s.Index("symbols") != 1 || s.Index("x") != -1 || len(s.Names()) != 2 {
		t.Error(s.Names())
	}
}
