// Package transport reads requests and writes answers as HTTP and JSON ask for it.
// It knows media types, codings, queries and bodies, and nothing of models or
// accounts: package api says what an operation takes, and this package checks it.
//
// A request is checked before its operation runs:
//
//	transport.SetDeadlines(w, r)                             // a slow sender is cut off
//	err := transport.CheckHead(r)                            // not too many bytes of headers
//	err = transport.Negotiate(r.Header, offered)             // the format of the answer
//	query, err := transport.CheckQuery(raw, parameters)      // every problem of the query
//	body, err := transport.ReadBody(w, r)                    // at most MaxBody bytes
//	body, err = transport.CheckBody(schemas, mediaType, body, schema, required)
//
// Every error is a fault with the status type, all problems in its details, and
// texts of bounded length. What passes is rewritten into the one form that huma
// decodes: 4.0 becomes 4, an empty optional date becomes null.
//
// The answer is written into a Held, which keeps it until it is whole. Send then
// gives it a strong ETag, answers 304 where the caller has it, and compresses it:
//
//	held := transport.Hold(w)
//	defer held.Release()
//	handler.ServeHTTP(held, r)
//	held.Send(r, compressor)
//
// A body with long vectors implements AppendJSON and builds its JSON with the
// Append functions. A body that is also a table implements Table, and Formats then
// writes it as Arrow, Parquet or CSV. A Recorder stands below all of it: it counts
// what was sent, and gives up on callers who stop reading.
package transport
