package sample

import (
	"bufio"
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
)

// WriteBars writes the daily bars of the whole market as CSV, sorted by symbol
// and date: symbol,date,close,adj_close,dividend,split. Closes are as traded;
// every call writes the same bytes.
func WriteBars(w io.Writer) error {
	out := bufio.NewWriterSize(w, 1<<16)
	out.WriteString("symbol,date,close,adj_close,dividend,split\n") // errors stay with out until Flush
	members := market()
	lives := draw(members)
	var line []byte
	for i, m := range members {
		for _, b := range prices(m, lives[i]) {
			line = append(line[:0], m.Symbol...)
			line = append(line, ',')
			line = b.date.Time().AppendFormat(line, "2006-01-02")
			line = strconv.AppendFloat(append(line, ','), b.close, 'f', -1, 64)
			line = strconv.AppendFloat(append(line, ','), b.adjusted, 'f', -1, 64)
			line = strconv.AppendFloat(append(line, ','), b.dividend, 'f', -1, 64)
			line = strconv.AppendFloat(append(line, ','), b.split, 'f', -1, 64)
			out.Write(append(line, '\n'))
		}
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("writing the sample market's bars: %w", err)
	}
	return nil
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
		return fmt.Errorf("writing the sample market's catalog: %w", err)
	}
	return nil
}
