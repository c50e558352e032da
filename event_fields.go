package agentturn

import "github.com/ChristopherDavenport/agentturn/internal/jsonfield"

// The JSON form of each event: which field is which member. One list serves
// encoding and decoding.

func (e *RunStart) fields() []jsonfield.Field {
	return []jsonfield.Field{
		jsonfield.Text("run_id", &e.RunID),
		jsonfield.Text("source", &e.Source),
		triggerField(&e.Trigger),
	}
}

// MarshalJSON writes the event with its type; [DecodeEvent] reads it.
func (e *RunStart) MarshalJSON() ([]byte, error) { return encodeEvent(e) }

// UnmarshalJSON reads what MarshalJSON writes, as [DecodeEvent] does.
func (e *RunStart) UnmarshalJSON(data []byte) error { return decodeInto(e, data) }

func (e *TurnStart) fields() []jsonfield.Field {
	return []jsonfield.Field{
		jsonfield.Text("run_id", &e.RunID),
		jsonfield.Number("turn", &e.Turn),
		jsonfield.JSON("request", &e.Request),
		jsonfield.List("inputs", &e.Inputs),
		jsonfield.Objects("arrived", &e.Arrived, (*TurnInput).fields),
	}
}

// MarshalJSON writes the event with its type; [DecodeEvent] reads it.
func (e *TurnStart) MarshalJSON() ([]byte, error) { return encodeEvent(e) }

// UnmarshalJSON reads what MarshalJSON writes, as [DecodeEvent] does.
func (e *TurnStart) UnmarshalJSON(data []byte) error { return decodeInto(e, data) }

func (i *TurnInput) fields() []jsonfield.Field {
	return []jsonfield.Field{
		itemField(&i.Item),
		jsonfield.Text("mode", &i.Mode),
		triggerField(&i.Trigger),
	}
}

func (e *ModelRetry) fields() []jsonfield.Field {
	return []jsonfield.Field{
		jsonfield.Text("run_id", &e.RunID),
		jsonfield.Number("turn", &e.Turn),
		jsonfield.Number("attempt", &e.Attempt),
		jsonfield.Of("err", errorValue{&e.Err}),
		jsonfield.JSON("delay_ns", &e.Delay),
		jsonfield.JSON("request", &e.Request),
	}
}

// MarshalJSON writes the event with its type; [DecodeEvent] reads it.
func (e *ModelRetry) MarshalJSON() ([]byte, error) { return encodeEvent(e) }

// UnmarshalJSON reads what MarshalJSON writes, as [DecodeEvent] does.
func (e *ModelRetry) UnmarshalJSON(data []byte) error { return decodeInto(e, data) }

func (e *ModelBlocked) fields() []jsonfield.Field {
	return []jsonfield.Field{
		jsonfield.Text("run_id", &e.RunID),
		jsonfield.Number("turn", &e.Turn),
		jsonfield.JSON("request", &e.Request),
		jsonfield.Of("err", errorValue{&e.Err}),
	}
}

// MarshalJSON writes the event with its type; [DecodeEvent] reads it.
func (e *ModelBlocked) MarshalJSON() ([]byte, error) { return encodeEvent(e) }

// UnmarshalJSON reads what MarshalJSON writes, as [DecodeEvent] does.
func (e *ModelBlocked) UnmarshalJSON(data []byte) error { return decodeInto(e, data) }

func (e *ResponseEnd) fields() []jsonfield.Field {
	return []jsonfield.Field{
		jsonfield.Text("run_id", &e.RunID),
		jsonfield.Number("turn", &e.Turn),
		jsonfield.Pointer("response", &e.Response),
		jsonfield.Flag("withheld", &e.Withheld),
	}
}

// MarshalJSON writes the event with its type; [DecodeEvent] reads it.
func (e *ResponseEnd) MarshalJSON() ([]byte, error) { return encodeEvent(e) }

// UnmarshalJSON reads what MarshalJSON writes, as [DecodeEvent] does.
func (e *ResponseEnd) UnmarshalJSON(data []byte) error { return decodeInto(e, data) }

func (e *ItemStart) fields() []jsonfield.Field {
	return []jsonfield.Field{
		jsonfield.Text("run_id", &e.RunID),
		jsonfield.Number("turn", &e.Turn),
		itemField(&e.Item),
		jsonfield.Text("response_id", &e.ResponseID),
		jsonfield.Flag("hidden", &e.Hidden),
	}
}

// MarshalJSON writes the event with its type; [DecodeEvent] reads it.
func (e *ItemStart) MarshalJSON() ([]byte, error) { return encodeEvent(e) }

// UnmarshalJSON reads what MarshalJSON writes, as [DecodeEvent] does.
func (e *ItemStart) UnmarshalJSON(data []byte) error { return decodeInto(e, data) }

func (e *ItemUpdate) fields() []jsonfield.Field {
	return []jsonfield.Field{
		jsonfield.Text("run_id", &e.RunID),
		jsonfield.Number("turn", &e.Turn),
		itemField(&e.Item),
		streamField(&e.Stream),
		jsonfield.Text("response_id", &e.ResponseID),
	}
}

// MarshalJSON writes the event with its type; [DecodeEvent] reads it. The item
// so far is in it, so that what a long message costs grows with every update:
// who follows a stream from afar sends the field Stream alone.
func (e *ItemUpdate) MarshalJSON() ([]byte, error) { return encodeEvent(e) }

// UnmarshalJSON reads what MarshalJSON writes, as [DecodeEvent] does.
func (e *ItemUpdate) UnmarshalJSON(data []byte) error { return decodeInto(e, data) }

func (e *ItemEnd) fields() []jsonfield.Field {
	return []jsonfield.Field{
		jsonfield.Text("run_id", &e.RunID),
		jsonfield.Number("turn", &e.Turn),
		itemField(&e.Item),
		jsonfield.Text("response_id", &e.ResponseID),
		jsonfield.Flag("hidden", &e.Hidden),
		triggerField(&e.Trigger),
		jsonfield.Text("model_call_id", &e.ModelCallID),
	}
}

// MarshalJSON writes the event with its type; [DecodeEvent] reads it.
func (e *ItemEnd) MarshalJSON() ([]byte, error) { return encodeEvent(e) }

// UnmarshalJSON reads what MarshalJSON writes, as [DecodeEvent] does.
func (e *ItemEnd) UnmarshalJSON(data []byte) error { return decodeInto(e, data) }

func (e *ToolStart) fields() []jsonfield.Field {
	return []jsonfield.Field{
		jsonfield.Text("run_id", &e.RunID),
		jsonfield.Number("turn", &e.Turn),
		jsonfield.Text("call_id", &e.CallID),
		jsonfield.Text("name", &e.Name),
		jsonfield.Raw("arguments", &e.Args),
		jsonfield.Optional("decision", &e.Decision, (*ToolDecision).fields),
		jsonfield.Text("parent", &e.Parent),
	}
}

// MarshalJSON writes the event with its type; [DecodeEvent] reads it.
func (e *ToolStart) MarshalJSON() ([]byte, error) { return encodeEvent(e) }

// UnmarshalJSON reads what MarshalJSON writes, as [DecodeEvent] does.
func (e *ToolStart) UnmarshalJSON(data []byte) error { return decodeInto(e, data) }

func (d *ToolDecision) fields() []jsonfield.Field {
	return []jsonfield.Field{
		jsonfield.Of("action", actionValue{&d.Action}),
		jsonfield.Text("reason", &d.Reason),
		jsonfield.Flag("terminate", &d.Terminate),
		jsonfield.Raw("arguments", &d.Args),
		jsonfield.Text("by", &d.By),
		jsonfield.Text("note", &d.Note),
	}
}

func (e *ToolDispatch) fields() []jsonfield.Field {
	return []jsonfield.Field{
		jsonfield.Text("run_id", &e.RunID),
		jsonfield.Number("turn", &e.Turn),
		jsonfield.Text("call_id", &e.CallID),
		jsonfield.Text("name", &e.Name),
		jsonfield.Text("parent", &e.Parent),
		jsonfield.Text("idempotency_key", &e.IdempotencyKey),
	}
}

// MarshalJSON writes the event with its type; [DecodeEvent] reads it.
func (e *ToolDispatch) MarshalJSON() ([]byte, error) { return encodeEvent(e) }

// UnmarshalJSON reads what MarshalJSON writes, as [DecodeEvent] does.
func (e *ToolDispatch) UnmarshalJSON(data []byte) error { return decodeInto(e, data) }

func (e *ToolUpdate) fields() []jsonfield.Field {
	return []jsonfield.Field{
		jsonfield.Text("run_id", &e.RunID),
		jsonfield.Number("turn", &e.Turn),
		jsonfield.Text("call_id", &e.CallID),
		jsonfield.Text("name", &e.Name),
		jsonfield.Object("partial", &e.Partial, resultFields),
	}
}

// MarshalJSON writes the event with its type; [DecodeEvent] reads it.
func (e *ToolUpdate) MarshalJSON() ([]byte, error) { return encodeEvent(e) }

// UnmarshalJSON reads what MarshalJSON writes, as [DecodeEvent] does.
func (e *ToolUpdate) UnmarshalJSON(data []byte) error { return decodeInto(e, data) }

func (e *ToolEnd) fields() []jsonfield.Field {
	return []jsonfield.Field{
		jsonfield.Text("run_id", &e.RunID),
		jsonfield.Number("turn", &e.Turn),
		jsonfield.Text("call_id", &e.CallID),
		jsonfield.Text("name", &e.Name),
		jsonfield.Object("result", &e.Result, resultFields),
		jsonfield.Of("err", errorValue{&e.Err}),
		jsonfield.Flag("blocked", &e.Blocked),
		jsonfield.Flag("deferred", &e.Deferred),
		jsonfield.Text("reason", &e.Reason),
		jsonfield.Text("parent", &e.Parent),
	}
}

// MarshalJSON writes the event with its type; [DecodeEvent] reads it.
func (e *ToolEnd) MarshalJSON() ([]byte, error) { return encodeEvent(e) }

// UnmarshalJSON reads what MarshalJSON writes, as [DecodeEvent] does.
func (e *ToolEnd) UnmarshalJSON(data []byte) error { return decodeInto(e, data) }

func (e *TurnEnd) fields() []jsonfield.Field {
	return []jsonfield.Field{
		jsonfield.Text("run_id", &e.RunID),
		jsonfield.Number("turn", &e.Turn),
		jsonfield.Pointer("response", &e.Response),
		jsonfield.Objects("tool_results", &e.ToolResults, resultFields),
	}
}

// MarshalJSON writes the event with its type; [DecodeEvent] reads it.
func (e *TurnEnd) MarshalJSON() ([]byte, error) { return encodeEvent(e) }

// UnmarshalJSON reads what MarshalJSON writes, as [DecodeEvent] does.
func (e *TurnEnd) UnmarshalJSON(data []byte) error { return decodeInto(e, data) }

func (e *RunEnd) fields() []jsonfield.Field {
	return []jsonfield.Field{
		jsonfield.Text("run_id", &e.RunID),
		jsonfield.List("items", &e.Items),
		jsonfield.Text("reason", &e.Reason),
		jsonfield.Text("cause", &e.Cause),
		jsonfield.Of("err", errorValue{&e.Err}),
		jsonfield.Objects("pending", &e.Pending, (*PendingCall).fields),
		jsonfield.Flag("withheld", &e.Withheld),
	}
}

// MarshalJSON writes the event with its type; [DecodeEvent] reads it.
func (e *RunEnd) MarshalJSON() ([]byte, error) { return encodeEvent(e) }

// UnmarshalJSON reads what MarshalJSON writes, as [DecodeEvent] does.
func (e *RunEnd) UnmarshalJSON(data []byte) error { return decodeInto(e, data) }

func (p *PendingCall) fields() []jsonfield.Field {
	return []jsonfield.Field{
		jsonfield.Pointer("call", &p.Call),
		jsonfield.Text("reason", &p.Reason),
		jsonfield.Of("tool", toolValue{p.Tool}),
		jsonfield.Flag("dispatched", &p.Dispatched),
		jsonfield.Text("idempotency_key", &p.IdempotencyKey),
		jsonfield.Raw("arguments", &p.Args),
		jsonfield.Pointer("ran", &p.Ran),
		jsonfield.Text("ran_where", &p.RanWhere),
		jsonfield.Text("refused", &p.Refused),
	}
}

func (e *Queued) fields() []jsonfield.Field {
	return []jsonfield.Field{
		jsonfield.Text("run_id", &e.RunID),
		itemField(&e.Item),
		jsonfield.Text("mode", &e.Mode),
		jsonfield.Flag("hidden", &e.Hidden),
		triggerField(&e.Trigger),
	}
}

// MarshalJSON writes the event with its type; [DecodeEvent] reads it.
func (e *Queued) MarshalJSON() ([]byte, error) { return encodeEvent(e) }

// UnmarshalJSON reads what MarshalJSON writes, as [DecodeEvent] does.
func (e *Queued) UnmarshalJSON(data []byte) error { return decodeInto(e, data) }
