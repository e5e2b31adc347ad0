package api

func (s *Server) renderReference() ([]byte, error) { return []byte("x"), nil }
