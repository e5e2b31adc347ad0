package engine

import (
	"bytes"
	"errors"
	"io"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestOrdersArriveWhole(t *testing.T) {
	t.Parallel()
	o := &Order{
		SQL: "SELECT 1", Parameters: []Parameter{{Name: "a", Value: "x"}}, Setup: []string{"s"}, Tables: []string{"t"}, Functions: []string{"f"},
		Scans: []Scan{{Name: "n", Files: []string{"/a"}, Origin: true}}, Data: []string{"d"},
		Limits: Limits{Memory: 1, Spill: 2, Threads: 3, Time: time.Second, Rows: 4, Cut: true},
	}
	var b bytes.Buffer
	if err := errors.Join(o.write(&b), writeBlock(&b, []byte("data"))); err != nil {
		t.Fatal(err)
	}
	got, err := ReadOrder(&b)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(o, got); d != "" {
		t.Errorf("(-sent +read):\n%s", d)
	}
	if data, err := ReadData(&b); err != nil || string(data) != "data" {
		t.Errorf("data %q, error %v", data, err)
	}
}

func TestAPartIsNotTheWhole(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if _, err := (Frames{&b}).Write([]byte("some bytes")); err != nil {
		t.Fatal(err)
	}
	if err := WriteFrame(&b, KindEnd, []byte(`{"rows": 3}`)); err != nil {
		t.Fatal(err)
	}
	whole := b.Bytes()
	for n := range whole {
		if _, err := io.ReadAll(&unframed{r: bytes.NewReader(whole[:n])}); err == nil {
			t.Fatalf("%d of %d bytes count as a complete answer", n, len(whole))
		}
	}
	u := &unframed{r: bytes.NewReader(whole)}
	got, err := io.ReadAll(u)
	if err != nil || string(got) != "some bytes" || u.end.Rows != 3 {
		t.Errorf("%q, error %v", got, err)
	}
}

func FuzzAnswer(f *testing.F) {
	f.Add([]byte("A\x01\x00\x00\x00xE\x02\x00\x00\x00{}"))
	f.Add([]byte("R\x00\x00\x00\x00"))
	f.Add([]byte("A\xff\xff\xff\xff"))
	f.Fuzz(func(t *testing.T, b []byte) {
		u := &unframed{r: bytes.NewReader(b)}
		if got, err := io.ReadAll(u); err == nil && (u.end == nil || len(got) > len(b)) {
			t.Errorf("%q without an end", got)
		}
	})
}

func FuzzOrder(f *testing.F) {
	var b bytes.Buffer
	if err := (&Order{SQL: "SELECT 1"}).write(&b); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Add([]byte{0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 1})
	f.Fuzz(func(t *testing.T, b []byte) {
		if o, err := ReadOrder(bytes.NewReader(b)); err == nil && o == nil {
			t.Error("no order and no error")
		}
	})
}
