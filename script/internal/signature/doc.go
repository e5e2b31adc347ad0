// Package signature describes the parameters of the functions that scripts call,
// once for their calls, their static checks and their documentation.
//
//	s := signature.New("momentum", "prices, skip=0")
//	err := s.Unpack(args, kwargs, &prices, &skip) // in a call
//	s.Parameters                                  // in a static check
//	s.String()                                    // momentum(prices, skip=0)
package signature
