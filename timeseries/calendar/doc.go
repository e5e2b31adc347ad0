// Package calendar says in advance on which days a market will be open.
//
// A Calendar counts the planned sessions up to any day, so that "the last session of
// the month" is known on that very session, without reading the bars that follow.
// Planned means according to the exchange's rules and to closings announced at least a
// day ahead (state funerals). An unannounced closing (2001-09-11 to 14, the storms of
// 1985-09-27 and 2012-10-29 and 30, the blackout of 1977-07-14) stays a planned
// session; a schedule then moves on to the next session that has a bar.
//
//	xnys := calendar.XNYS()
//	n := xnys.Count(day)        // sessions up to and including day
//	last := xnys.Session(n - 1) // the last of them
package calendar
