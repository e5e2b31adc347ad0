// Package timeseries holds daily total returns: of one asset or model as a
// Series on its own dates, of a model's universe as a Frame on one shared axis.
//
//	frame, err := timeseries.Align([]timeseries.Source{{Key: "SPY", Series: spy}, {Key: "AGG", Series: agg}})
//	spy := frame.Members[0]
//	i := timeseries.Index(nil, spy.Returns[spy.First:]) // 1.0 at the first bar
//
// The axis is the union of the dates on which exchange-traded members have bars. The
// returns of members with bars at weekends are compounded over closed days into the next
// session, so that no return is lost; a universe of only such members keeps all their
// days. A member that is itself a model is a source like any other: its base and its
// dates are its bars.
//
// A frame is passed between processes as one Arrow record in an IPC file (EncodeFrame,
// DecodeFrame); the decoded frame points into the given memory.
package timeseries
