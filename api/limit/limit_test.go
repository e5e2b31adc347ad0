package limit_test

import (
	"fmt"
	"net/http"
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"ballast/api/limit"
)

// a is a caller, and number(i) another for each i.
var a = limit.Key{1}

func number(i int) limit.Key { return limit.Key{byte(i), byte(i >> 8), 3} }

func TestBucketsGiveTheBurstThenTheRate(t *testing.T) {
	t.Parallel()
	b := limit.NewBuckets(limit.Rate{PerSecond: 10, Burst: 3}, 8)
	now := time.Now()
	for i := range 3 {
		if wait := b.Take(a, now); wait != 0 {
			t.Errorf("token %d: wait %v", i, wait)
		}
	}
	if wait := b.Take(a, now); wait <= 0 || wait > 100*time.Millisecond {
		t.Errorf("without tokens: wait %v", wait)
	}
	if wait := b.Wait(a, now); wait <= 0 {
		t.Errorf("wait %v", wait)
	}
	if wait := b.Take(limit.Key{2}, now); wait != 0 {
		t.Errorf("another caller waits %v", wait)
	}
	if wait := b.Take(a, now.Add(101*time.Millisecond)); wait != 0 {
		t.Errorf("after the wait: %v", wait)
	}
}

// A refused request takes no tokens: whatever the order of requests, no window gives
// more than the burst and what was refilled during it.
func TestBucketsNeverGiveMore(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := limit.Rate{PerSecond: rapid.Float64Range(.5, 50).Draw(t, "rate"), Burst: rapid.IntRange(1, 20).Draw(t, "burst")}
		b := limit.NewBuckets(r, 4)
		start := time.Now()
		now, given := start, 0
		for _, step := range rapid.SliceOfN(rapid.IntRange(-50, 200), 1, 200).Draw(t, "milliseconds") {
			now = now.Add(time.Duration(step) * time.Millisecond) // backwards too
			wait := b.Take(a, now)
			if wait == 0 {
				given++
			}
			if latest := now.Sub(start).Seconds() + 10; float64(given) > float64(r.Burst)+latest*r.PerSecond {
				t.Fatalf("%d tokens by %v at %+v", given, now.Sub(start), r)
			}
			if wait < 0 {
				t.Fatalf("wait %v", wait)
			}
		}
	})
}

func TestBucketsKeepBoundedMany(t *testing.T) {
	t.Parallel()
	b := limit.NewBuckets(limit.Rate{PerSecond: 1, Burst: 1}, 100)
	now := time.Now()
	for i := range 10_000 {
		b.Take(number(i), now)
	}
	known := 0
	for i := range 10_000 {
		if b.Knows(number(i)) {
			known++
		}
	}
	if known != 100 {
		t.Errorf("%d are known", known)
	}
	b.Forget(number(9_999))
	if b.Knows(number(9_999)) {
		t.Error("forgotten and known")
	}
}

func TestBucketsAtOnce(t *testing.T) {
	t.Parallel()
	b := limit.NewBuckets(limit.Rate{PerSecond: 1e-9, Burst: 50}, 8)
	var given atomic.Int64
	var all sync.WaitGroup
	now := time.Now()
	for range 20 {
		all.Go(func() {
			for range 20 {
				if b.Take(a, now) == 0 {
					given.Add(1)
				}
			}
		})
	}
	all.Wait()
	if given.Load() != 50 {
		t.Errorf("%d of 50 tokens were given", given.Load())
	}
}

func TestNoLimit(t *testing.T) {
	t.Parallel()
	b := limit.NewBuckets(limit.Rate{}, 8)
	for range 1000 {
		if b.Take(a, time.Now()) != 0 || b.Wait(a, time.Now()) != 0 || b.Knows(a) {
			t.Fatal("no limit limits")
		}
	}
	b.Forget(a)
}

func TestClient(t *testing.T) {
	t.Parallel()
	proxies, err := limit.ParseProxies([]string{"10.0.0.0/8", " 192.0.2.1", "fd00::/8"})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		peer      string
		forwarded []string
		want      string
	}{
		{"203.0.113.5:1234", nil, "203.0.113.5"},
		{"203.0.113.5:1234", []string{"198.51.100.1"}, "203.0.113.5"}, // the peer is not trusted
		{"10.1.2.3:1234", nil, "10.1.2.3"},
		{"10.1.2.3:1234", []string{"198.51.100.1"}, "198.51.100.1"},
		{"10.1.2.3:1234", []string{"1.1.1.1, 198.51.100.1"}, "198.51.100.1"}, // the caller may have made up the first entry
		{"10.1.2.3:1234", []string{"1.1.1.1, 198.51.100.1, 10.9.9.9"}, "198.51.100.1"},
		{"10.1.2.3:1234", []string{"1.1.1.1", "198.51.100.1", "192.0.2.1"}, "198.51.100.1"},
		{"10.1.2.3:1234", []string{"198.51.100.1, garbage"}, "10.1.2.3"},
		{"10.1.2.3:1234", []string{"198.51.100.1:5678"}, "198.51.100.1"},
		{"10.1.2.3:1234", []string{"10.0.0.1, 10.0.0.2"}, "10.0.0.1"},
		{"10.1.2.3:1234", []string{""}, "10.1.2.3"},
		{"[::ffff:10.1.2.3]:1234", []string{"[2001:db8::7]:80"}, "2001:db8::7"},
		{"[fd00::1%eth0]:1234", []string{"198.51.100.1"}, "198.51.100.1"},
		{"@", []string{"198.51.100.1"}, "invalid IP"},
	} {
		r := &http.Request{RemoteAddr: test.peer, Header: http.Header{"X-Forwarded-For": test.forwarded}}
		if got := proxies.Client(r).String(); got != test.want {
			t.Errorf("%s, %q: %s, want %s", test.peer, test.forwarded, got, test.want)
		}
	}
	for _, wrong := range []string{"10.0.0.0/33", "localhost", ""} {
		if _, err := limit.ParseProxies([]string{wrong}); err == nil {
			t.Errorf("%q is a proxy", wrong)
		}
	}
}

func TestHousehold(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"198.51.100.7": "198.51.100.7", "2001:db8:1:2:3:4:5:6": "2001:db8:1:2::", "2001:db8:1:2::": "2001:db8:1:2::",
	} {
		if got := limit.Household(netip.MustParseAddr(address)); got != netip.MustParseAddr(want).As16() {
			t.Errorf("%s: %x, want %s", address, got, want)
		}
	}
	if limit.Household(netip.Addr{}) != (limit.Key{}) {
		t.Error("no address has a household")
	}
}

func FuzzClient(f *testing.F) {
	f.Add("10.0.0.1:80", "1.2.3.4, 10.0.0.2")
	f.Add("[::1]:80", ",,,")
	proxies, err := limit.ParseProxies([]string{"10.0.0.0/8", "::1"})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, peer, forwarded string) {
		got := proxies.Client(&http.Request{RemoteAddr: peer, Header: http.Header{"X-Forwarded-For": {forwarded}}})
		alone := limit.Proxies(nil).Client(&http.Request{RemoteAddr: peer, Header: http.Header{"X-Forwarded-For": {forwarded}}})
		direct := proxies.Client(&http.Request{RemoteAddr: peer})
		if alone != direct || (got != alone && got.Is4In6()) {
			t.Error(fmt.Sprint(got, alone, direct))
		}
	})
}
