// Package chart draws the figures of results as SVG, for pages without scripts.
//
//	drawing := chart.Draw(chart.Figure{
//		ID: "fan", Title: "Value by month", Kind: "band",
//		X: chart.Column{Name: "step", Unit: "months", Numbers: steps},
//		Y: []chart.Column{{Name: "p5", Unit: "usd", Numbers: low}, {Name: "p95", Unit: "usd", Numbers: high}},
//	})
//	html, err := drawing.HTML()
//
// Draw never fails: a figure whose columns cannot be drawn becomes nil, and the page
// shows its table alone. Shapes are in per cent of the plot and stretch with it, while
// texts and strokes keep their size, so one drawing is readable on a phone, a screen and
// paper. Style holds the rules that a page needs; its colours are the page's variables,
// which differ between light and dark.
//
//	chart.go      figures, and what a drawing holds
//	scale.go      from values to places, with round values to label
//	format.go     numbers as text, by unit
//	line.go       lines and areas; band.go, bar.go, histogram.go, heatmap.go, scatter.go
package chart
