package openresponses

import (
	"container/list"
	"context"
	"sync"
)

// A ResponseStore keeps conversations by the ID of the response that they end in: the input of the request, history
// included, followed by the output. A Handler continues from it what a request's previous_response_id names.
//
// Its methods are called from several goroutines at once. Nobody changes a list or its items after Save or Load, so
// that a store may keep what it is given and hand out what it keeps.
type ResponseStore interface {
	// Load returns the conversation, or false for an ID that it doesn't know.
	Load(ctx context.Context, id string) (history Items, ok bool, err error)

	// Save stores a conversation, in place of the one with the same ID.
	Save(ctx context.Context, id string, history Items) error

	// Delete removes a conversation, if there is one.
	Delete(ctx context.Context, id string) error
}

// MemoryStore is a ResponseStore that holds a limited number of conversations in memory and forgets the oldest. It is
// safe for concurrent use. The zero value holds one conversation.
type MemoryStore struct {
	capacity int

	mu    sync.Mutex
	byID  map[string]*list.Element
	order list.List // of *conversation, the first saved in front
}

type conversation struct {
	id      string
	history Items
}

// NewMemoryStore returns a store for that many conversations, at least one.
func NewMemoryStore(capacity int) *MemoryStore { return &MemoryStore{capacity: capacity} }

// Load returns the conversation itself, not a copy. The error is always nil.
func (m *MemoryStore) Load(_ context.Context, id string) (Items, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	e, ok := m.byID[id]
	if !ok {
		return nil, false, nil
	}
	return e.Value.(*conversation).history, true, nil
}

// Save stores the conversation itself, not a copy. If that is one too many, the one that was saved first goes; saving
// an ID again replaces its conversation and does not make it younger. The error is always nil.
func (m *MemoryStore) Save(_ context.Context, id string, history Items) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if e, ok := m.byID[id]; ok {
		e.Value.(*conversation).history = history
		return nil
	}
	if m.byID == nil {
		m.byID = make(map[string]*list.Element)
	}
	m.byID[id] = m.order.PushBack(&conversation{id, history})
	if m.order.Len() > max(m.capacity, 1) {
		m.remove(m.order.Front())
	}
	return nil
}

// Delete removes the conversation, if there is one. The error is always nil.
func (m *MemoryStore) Delete(_ context.Context, id string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if e, ok := m.byID[id]; ok {
		m.remove(e)
	}
	return nil
}

func (m *MemoryStore) remove(e *list.Element) {
	delete(m.byID, e.Value.(*conversation).id)
	m.order.Remove(e)
}

// Len returns how many conversations the store holds.
func (m *MemoryStore) Len() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.order.Len()
}
