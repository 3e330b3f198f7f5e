package llm

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// Fingerprint is a hash of everything of a request that changes its answer, in
// hexadecimal. Where tells apart places that answer differently. A field that is
// added to a request later must have omitempty, or tapes and caches lose what
// they have.
func (r *Request) Fingerprint(where ...string) string {
	own := *r
	own.Timeout, own.FirstTokenTimeout, own.IdleTimeout, own.Tags, own.Metadata = 0, 0, 0, nil, nil
	text, err := json.Marshal(struct {
		Where   []string
		Request *Request
	}{where, &own})
	if err != nil { // a tool's schema that is no JSON, or a temperature that is no number
		text = []byte(err.Error())
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
