// Package signature says what a function that scripts call takes, in one place
// for its calls, its static checks and its documentation.
//
//	s := signature.New("momentum", "prices, skip=0")
//	err := s.Unpack(args, kwargs, &prices, &skip) // of a call
//	s.Parameters                                  // for a check beforehand
//	s.String()                                    // momentum(prices, skip=0)
package signature
