package agenttool

import (
	"context"
	"encoding/json"
	"fmt"
)

// Recordable is implemented by details that belong on the session's record,
// so that they survive the process. The value is written as its JSON.
type Recordable interface {
	// RecordNS is the namespace of the record, not empty, by convention
	// <owner>:<kind>, as in shell:process-group.
	RecordNS() string
}

// A Record is a [Recordable] value in the form it is written.
type Record struct {
	// NS is the namespace, never empty.
	NS string

	// Data is the value as JSON.
	Data json.RawMessage
}

// A RecordFunc writes a record. The record is durable when it returns nil.
// It must be safe for concurrent use; [CallFrom] on ctx tells it which call
// writes.
type RecordFunc func(ctx context.Context, rec *Record) error

// RecordOf gives the record of a result's details: nil where they are not
// [Recordable]. A namespace that is empty, a value that does not marshal, or
// one that panics over either, is an error.
func RecordOf(details any) (rec *Record, err error) {
	r, ok := details.(Recordable)
	if !ok {
		return nil, nil
	}
	defer func() {
		if v := recover(); v != nil {
			rec, err = nil, fmt.Errorf("agenttool: record %T panicked: %v", details, v)
		}
	}()
	ns := r.RecordNS()
	if ns == "" {
		return nil, fmt.Errorf("agenttool: record %T: empty namespace", details)
	}
	data, err := json.Marshal(details)
	if err != nil {
		return nil, fmt.Errorf("agenttool: record %s: %w", ns, err)
	}
	return &Record{NS: ns, Data: data}, nil
}

type recorderKey struct{}

// ContextWithRecorder puts a recorder on a context, in place of any already
// there. A nil fn removes it.
func ContextWithRecorder(ctx context.Context, fn RecordFunc) context.Context {
	return context.WithValue(ctx, recorderKey{}, fn)
}

// RecorderFrom gives the recorder on a context, and whether there is one.
func RecorderFrom(ctx context.Context) (RecordFunc, bool) {
	fn, _ := ctx.Value(recorderKey{}).(RecordFunc)
	return fn, fn != nil
}

// WriteRecord writes details through the recorder on ctx before it returns,
// which a tool does when something must be on record before the call goes
// on: an outside process it started, an order it is about to place. Details
// that a tool returns are recorded without it, so a value goes one way or the
// other. It does nothing when ctx has no recorder or details is nil. A
// recorder that panics has failed to record.
func WriteRecord(ctx context.Context, details Recordable) error {
	record, ok := RecorderFrom(ctx)
	if !ok || details == nil {
		return nil
	}
	rec, err := RecordOf(details)
	if err != nil {
		return err
	}
	return write(ctx, record, rec)
}

// write keeps a panicking recorder from taking down the process where a tool
// records from a goroutine of its own.
func write(ctx context.Context, record RecordFunc, rec *Record) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("agenttool: record %s: recorder panicked: %v", rec.NS, v)
		}
	}()
	return record(ctx, rec)
}
