package account

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"strings"
)

// keyPrefix begins every key's secret, so that scanners can recognise a leaked one.
const keyPrefix = "bk_"

// secretLength is the length of a secret: the prefix and 32 bytes in base64url.
const secretLength = len(keyPrefix) + 43

// NewKey makes a key's secret from the system's random source.
func NewKey() (secret string) { return newSecret(keyPrefix) }

func newSecret(prefix string) string {
	var b [32]byte
	_, _ = rand.Read(b[:]) // never fails: without randomness the runtime ends the process
	return prefix + base64.RawURLEncoding.EncodeToString(b[:])
}

// Hash returns the SHA-256 of a secret, which is all that is stored of it.
func Hash(secret string) [32]byte { return sha256.Sum256([]byte(secret)) }

// Prefix is the part of a secret that lists show.
func Prefix(secret string) string { return secret[:min(len(secret), PrefixLength)] }

// PrefixLength is the number of a secret's characters that lists show.
const PrefixLength = len(keyPrefix) + 8

// WellFormed reports whether s has the form of a secret.
func WellFormed(s string) bool { return wellFormed(s, keyPrefix) }

func wellFormed(s, prefix string) bool {
	if len(s) != secretLength || !strings.HasPrefix(s, prefix) {
		return false
	}
	_, err := base64.RawURLEncoding.DecodeString(s[len(prefix):])
	return err == nil
}
