package backtest_test

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// arithmetic evaluates a number, or an expression of numbers with + - * / ^ and
// parentheses. nan and inf are numbers.
func arithmetic(text string) (float64, error) {
	p := &sum{text: text}
	v := p.add()
	if p.failed || p.text != "" {
		return 0, fmt.Errorf("%q is not a number", text)
	}
	return v, nil
}

type sum struct {
	text   string
	failed bool
}

func (p *sum) next(of string) byte {
	if p.text == "" || !strings.Contains(of, p.text[:1]) {
		return 0
	}
	c := p.text[0]
	p.text = p.text[1:]
	return c
}

func (p *sum) add() float64 {
	v := p.multiply()
	for {
		switch p.next("+-") {
		case '+':
			v += p.multiply()
		case '-':
			v -= p.multiply()
		default:
			return v
		}
	}
}

func (p *sum) multiply() float64 {
	v := p.power()
	for {
		switch p.next("*/") {
		case '*':
			v *= p.power()
		case '/':
			v /= p.power()
		default:
			return v
		}
	}
}

func (p *sum) power() float64 {
	if p.next("-") != 0 {
		return -p.power()
	}
	v := p.atom()
	if p.next("^") != 0 {
		return math.Pow(v, p.power())
	}
	return v
}

func (p *sum) atom() float64 {
	if p.next("(") != 0 {
		v := p.add()
		if p.next(")") == 0 {
			p.failed = true
		}
		return v
	}
	n := 0
	for n < len(p.text) && (strings.IndexByte("0123456789.infae", p.text[n]) >= 0 || n > 0 && p.text[n-1] == 'e' && p.text[n] == '-') {
		n++
	}
	v, err := strconv.ParseFloat(p.text[:n], 64)
	p.failed = p.failed || err != nil
	p.text = p.text[n:]
	return v
}
