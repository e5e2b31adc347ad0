package shares

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
)

// tokenBytes are 128 random bits.
const tokenBytes = 16

// TokenLength is how many characters a token has.
var TokenLength = base64.RawURLEncoding.EncodedLen(tokenBytes)

// newToken makes the secret part of a share's address.
func newToken() string {
	var b [tokenBytes]byte
	_, _ = rand.Read(b[:]) // never fails
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// Hash returns what is stored of a token, and false if the text cannot be one.
func Hash(token string) (hash []byte, ok bool) {
	if len(token) != TokenLength {
		return nil, false
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(token)
	if err != nil || len(raw) != tokenBytes {
		return nil, false
	}
	sum := sha256.Sum256([]byte(token))
	return sum[:], true
}
