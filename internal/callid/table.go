// Package callid decides the IDs of function calls: which of the model's stand, and what
// takes the place of one that can't.
//
// A call ID names one call. The model's own is kept unless it is empty, longer than
// [MaxLength] or taken. The one that replaces it is derived from the model's and from the
// calls named before it, never random, so that the same stream over the same transcript
// gives the same requests: a provider's prompt cache and a golden test hold.
package callid

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
)

// MaxLength is the longest call ID, in bytes, that a strict server accepts.
const MaxLength = 64

// maxPrefix keeps prefix, underscore and 24 digits within MaxLength.
const maxPrefix = 39

// Table knows the call IDs that are taken. The zero Table is empty and ready.
// It is not safe for concurrent use.
type Table struct {
	// Seed says where in a conversation the calls are made, the number of items before
	// them, so that two places rarely try the same replacement.
	Seed int

	// Reserved reports whether an ID is not to be given for a reason of the caller's. nil
	// means none is.
	Reserved func(id string) bool

	taken map[string]struct{}
}

// Take marks ids as taken. Empty ones are ignored.
func (t *Table) Take(ids ...string) {
	for _, id := range ids {
		if id == "" {
			continue
		}
		if t.taken == nil {
			t.taken = make(map[string]struct{})
		}
		t.taken[id] = struct{}{}
	}
}

// Taken reports whether id is taken.
func (t *Table) Taken(id string) bool {
	_, ok := t.taken[id]
	return ok
}

// Reset empties the table, for calls made behind seed items.
func (t *Table) Reset(seed int) {
	t.Seed = seed
	clear(t.taken)
}

// Decide returns the ID of a call the model named modelID and takes it.
func (t *Table) Decide(modelID string) string {
	id := modelID
	for n := 0; !t.free(id); n++ {
		id = Derive(Prefix(modelID), modelID, strconv.Itoa(t.Seed), strconv.Itoa(len(t.taken)), strconv.Itoa(n))
	}
	t.Take(id)
	return id
}

func (t *Table) free(id string) bool {
	return id != "" && len(id) <= MaxLength && !t.Taken(id) && (t.Reserved == nil || !t.Reserved(id))
}

// Prefix is what an ID derived from modelID begins with: "call" for an empty one, else the
// model's, made [Plain] and cut to 39 bytes.
func Prefix(modelID string) string {
	if modelID == "" {
		return "call"
	}
	return Plain(modelID, maxPrefix)
}

// Plain is s with every character outside a-z A-Z 0-9 _ - replaced by _, cut to limit bytes:
// what a strict server takes as an ID or a name, unless it is empty.
func Plain(s string, limit int) string {
	var b strings.Builder
	for _, r := range s {
		if b.Len() == limit {
			break
		}
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '_', r == '-':
			b.WriteByte(byte(r))
		default:
			b.WriteByte('_')
		}
	}
	return b.String()
}

// Derive returns prefix, an underscore and 24 hex digits that follow from parts alone.
func Derive(prefix string, parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		h.Write([]byte(strconv.Itoa(len(p))))
		h.Write([]byte{':'})
		h.Write([]byte(p))
	}
	var sum [sha256.Size]byte
	return prefix + "_" + hex.EncodeToString(h.Sum(sum[:0])[:12])
}
