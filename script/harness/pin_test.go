package harness_test

import (
	"fmt"
	"strings"
	"testing"

	"go.starlark.net/starlark"
)

// wave returns an artificial series of n returns; its numbers are exact quotients.
func wave(n, k int) string {
	var b strings.Builder
	b.WriteString("vector([")
	for i := range n {
		fmt.Fprintf(&b, "%d/20000,", (i*i*7919+(i+3)*(k+1)*104729)%1000-480)
	}
	b.WriteString("])")
	return b.String()
}

func waves(n, k int) string {
	var b strings.Builder
	b.WriteString("{")
	for i := range k {
		fmt.Fprintf(&b, "%q: %s,", string(rune('A'+i)), wave(n, i))
	}
	b.WriteString("}")
	return b.String()
}

// bits formats numbers with all their bits, and dictionaries in order.
func bits(v starlark.Value) string {
	switch v := v.(type) {
	case starlark.Float:
		return fmt.Sprintf("%x", float64(v))
	case starlark.IterableMapping:
		var parts []string
		for _, item := range v.Items() {
			parts = append(parts, bits(item[1]))
		}
		return strings.Join(parts, " ")
	}
	return v.String()
}

// TestResultsStayAsTheyWere compares results with those of version 1.0.0 of the
// contract, matrices with those of version 1.4.0, and optimisers with those of version
// 1.5.0, bit for bit.
func TestResultsStayAsTheyWere(t *testing.T) {
	t.Parallel()
	write := strings.NewReplacer("XX", wave(60, 0), "YY", wave(60, 1), "PANEL", waves(60, 6), "THREE", waves(40, 3))
	for _, c := range []struct{ expression, want string }{
		{`volatility(XX)`, `0x1.ed201bb27dca8p-03`},
		{`ema(XX, 10)`, `0x1.36a6f111238e6p-09`},
		{`sma(XX, 7)`, `0x1.3b824fb24b03ep-09`},
		{`rsi(1 + XX, 14)`, `0x1.7a3e797f56077p+05`},
		{`zscore(XX, 20)`, `-0x1.13ca3c7a30593p+00`},
		{`drawdown(1 + XX)`, `-0x1.2eaec6bc40d6p-05`},
		{`momentum(1 + XX, 3)`, `0x1.4fe09d8be484p-05`},
		{`beta(XX, YY)`, `0x1.7f393f9883541p-04`},
		{`correlation(XX, YY)`, `0x1.9482d420f114cp-04`},
		{`covariance(XX, YY)`, `0x1.925e0e18ed519p-16`},
		{`correlation(THREE)`, `0x1p+00 0x1.caaac649d7b4ap-04 0x1.0e618d7bf2db3p-04 0x1.caaac649d7b4ap-04 0x1p+00 0x1.4ef78a899638p-04 0x1.0e618d7bf2db3p-04 0x1.4ef78a899638p-04 0x1p+00`},
		{`covariance(THREE)`, `0x1.e3cd1744f2cbep-13 0x1.bcf409ffb8aabp-16 0x1.a6f0d25ba9ac2p-17 0x1.bcf409ffb8aabp-16 0x1.fdeceb5c62c27p-13 0x1.0cf6eef318f75p-16 0x1.a6f0d25ba9ac2p-17 0x1.0cf6eef318f75p-16 0x1.4b737be933ebap-13`},
		{`min_variance(PANEL)`, `0x1.91ecc8baa69ebp-03 0x1.016aced393a31p-03 0x1.d8d91f632984fp-04 0x1.6dedc774d13f4p-03 0x1.78542e0312152p-03 0x1.99f9e3484da76p-03`},
		{`mean_variance(PANEL)`, `0x0p+00 0x0p+00 0x1p+00 0x0p+00 0x0p+00 0x0p+00`},
		{`mean_variance(PANEL, 20)`, `0x1.df88eb210146ap-05 0x1.757ed07968e8dp-04 0x1.875af7dbd0407p-01 0x1.f60d832c92993p-08 0x0p+00 0x1.408422e4cb474p-04`},
		{`risk_parity(PANEL)`, `0x1.71570d8626f97p-03 0x1.32e97ce7fabd3p-03 0x1.3677da34e180dp-03 0x1.612628a1d2df4p-03 0x1.5823f5bef56ap-03 0x1.6bfd7cfc347f7p-03`},
		{`inverse_volatility(PANEL)`, `0x1.528b4937aa2cap-03 0x1.40ba69f73002ep-03 0x1.7599be9fb7131p-03 0x1.45d94b759b2eap-03 0x1.54da1f894e649p-03 0x1.5c6d2332852abp-03`},
		{`vol_target({"A": 0.5, "C": 0.7, "B": -0.1}, PANEL, 0.1, 1.5)`, `0x1.0762e7f525dccp-02 0x1.70bdab2401ceap-02 -0x1.a56b0cbb6fc7ap-05`},
		{`cap(risk_parity(PANEL), 0.17)`, `0x1.5c28f5c28f5c3p-03 0x1.4518ef2396027p-03 0x1.4a4339d22c8ccp-03 0x1.5c28f5c28f5c3p-03 0x1.5c28f5c28f5c3p-03 0x1.5c28f5c28f5c3p-03`},
		{`normalize({"A": 0.3, "B": -0.4}, 0.9)`, `0x1.8af8af8af8afap-02 -0x1.0750750750751p-01`},
		{`blend({"A": 0.3}, {"B": 0.1, "A": 0.7}, 0.3)`, `0x1.28f5c28f5c28fp-01 0x1.1eb851eb851ebp-04`},
	} {
		v, err := eval(t, write.Replace(c.expression))
		if err != nil {
			t.Fatal(c.expression, err)
		}
		if got := bits(v); got != c.want {
			t.Errorf("%s gives\n%s, want\n%s", c.expression, got, c.want)
		}
	}
}
