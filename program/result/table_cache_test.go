package result

import (
	"fmt"
	"testing"
)

func TestTableCacheStaysWithinItsBytes(t *testing.T) {
	t.Parallel()
	table := func(rows int) *Daily { return &Daily{Returns: make([]float64, rows)} }
	c, err := newTableCache(1000)
	if err != nil {
		t.Fatal(err)
	}
	c.add("large", partCore, table(1000))
	if _, ok := c.get("large", partCore); ok {
		t.Error("a table larger than the cache was kept")
	}
	for i := range 20 {
		c.add(fmt.Sprint(i), partCore, table(25)) // 200 bytes
		c.add(fmt.Sprint(i), partCore, table(25))
		if c.bytes > c.limit || c.bytes != int64(c.tables.Len())*200 {
			t.Fatalf("after table %d: %d bytes in %d tables", i, c.bytes, c.tables.Len())
		}
	}
	if _, ok := c.get("19", partCore); !ok {
		t.Error("the newest table is gone")
	}
	if _, ok := c.get("0", partCore); ok {
		t.Error("the oldest table is still there")
	}
	if _, ok := c.get("19", PartWeights); ok {
		t.Error("one part answered for another")
	}
}
