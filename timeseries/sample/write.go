package sample

import (
	"bufio"
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"time"
)

// WriteBars writes the daily bars of the whole market as CSV, sorted by symbol
// and date: symbol,date,close,adj_close,dividend,split. Closes are as traded;
// every call writes the same bytes.
func WriteBars(w io.Writer) error {
	out := bufio.NewWriterSize(w, 1<<16)
	line := []byte("symbol,date,close,adj_close,dividend,split\n")
	members := market()
	lives := draw(members)
	for i, m := range members {
		for _, b := range prices(m, lives[i]) {
			line = appendBar(line, m.Symbol, b)
			if _, err := out.Write(line); err != nil {
				return fmt.Errorf("write the bars of the sample market: %w", err)
			}
			line = line[:0]
		}
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("write the bars of the sample market: %w", err)
	}
	return nil
}

func appendBar(line []byte, symbol string, b bar) []byte {
	line = append(append(line, symbol...), ',')
	line = b.date.Time().AppendFormat(line, time.DateOnly)
	for _, v := range [...]float64{b.close, b.adjusted, b.dividend, b.split} {
		line = strconv.AppendFloat(append(line, ','), v, 'f', -1, 64)
	}
	return append(line, '\n')
}

// WriteCatalog writes the market's assets as CSV, sorted by symbol:
// symbol,name,type,exchange,currency,asset_class.
func WriteCatalog(w io.Writer) error {
	out := csv.NewWriter(w)
	rows := [][]string{{"symbol", "name", "type", "exchange", "currency", "asset_class"}}
	for _, a := range Assets() {
		rows = append(rows, []string{a.Symbol, a.Name, a.Type, a.Exchange, a.Currency, a.AssetClass})
	}
	if err := out.WriteAll(rows); err != nil {
		return fmt.Errorf("write the catalog of the sample market: %w", err)
	}
	return nil
}
