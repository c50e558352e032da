package openresponses

import "errors"

var errItemClosed = errors.New("openresponses: write to an item that is closed")

// Emitter produces the events of a conforming stream, so that an adapter only says what its model says. Items come
// one after another: opening the next one closes the one before.
//
// Events carry the live response and the live items, so a sink has to encode or copy what it is sent before Send
// returns. Numbering the events is the sink's task too. What a sink refuses is reported to the caller and not sent
// again. An Emitter and its writers are not safe for concurrent use.
type Emitter struct {
	sink    EventSink
	resp    *Response
	writer  itemWriter // of the item that is open, or nil
	started bool
	ended   bool
}

// itemWriter is what the emitter needs of a writer whose item is open.
type itemWriter interface {
	Close() error
	markIncomplete()
}

// NewEmitter returns an Emitter that sends to a sink, which must not be nil. It fills in resp, sends it with each
// lifecycle event and adds the items to its Output; an empty ID is generated and an empty status becomes in_progress
// at once. A nil resp stands for that of an empty request.
func NewEmitter(sink EventSink, resp *Response) *Emitter {
	if resp == nil {
		resp = NewResponse(Request{})
	}
	if resp.ID == "" {
		resp.ID = NewID("resp")
	}
	if resp.Status == "" {
		resp.Status = ResponseStatusInProgress
	}
	return &Emitter{sink: sink, resp: resp}
}

// Response returns the live response. Usage and the like are to be set on it before the stream is completed.
func (e *Emitter) Response() *Response { return e.resp }

// Start sends response.created and response.in_progress. It does so once, and the first item or the end of the
// stream does it where the caller has not.
func (e *Emitter) Start() error {
	if e.started {
		return nil
	}
	e.started = true
	if err := e.sink.Send(&ResponseCreatedEvent{Response: e.resp}); err != nil {
		return err
	}
	return e.sink.Send(&ResponseInProgressEvent{Response: e.resp})
}

// Message opens a message of the assistant; the phase may be empty. Like every method that opens an item, it fails
// with ErrTerminalEventSent once the stream is completed.
func (e *Emitter) Message(phase Phase) (*MessageWriter, error) {
	item := &Message{
		ID: NewID("msg"), Status: StatusInProgress, Role: RoleAssistant, Content: Contents{}, Phase: phase,
	}
	w := &MessageWriter{message: item}
	if err := e.open(w, &w.openItem, item); err != nil {
		return nil, err
	}
	return w, nil
}

// FunctionCall opens a call of the named function. An empty callID is generated.
func (e *Emitter) FunctionCall(callID, name string) (*FunctionCallWriter, error) {
	if callID == "" {
		callID = NewID("call")
	}
	item := &FunctionCall{ID: NewID("fc"), Status: StatusInProgress, CallID: callID, Name: name}
	w := &FunctionCallWriter{call: item}
	if err := e.open(w, &w.openItem, item); err != nil {
		return nil, err
	}
	return w, nil
}

// Reasoning opens a reasoning item.
func (e *Emitter) Reasoning() (*ReasoningWriter, error) {
	item := &ReasoningItem{ID: NewID("rs"), Status: StatusInProgress, Summary: Contents{}}
	w := &ReasoningWriter{reasoning: item}
	if err := e.open(w, &w.openItem, item); err != nil {
		return nil, err
	}
	return w, nil
}

// Item sends an item that is finished already, of any type, without deltas. Its id is left as it is; a status that
// is empty or in_progress becomes completed.
func (e *Emitter) Item(item Item) error {
	if item == nil {
		return errors.New("openresponses: emit a nil item")
	}
	index, err := e.add(item)
	if err != nil {
		return err
	}
	return e.done(index, item)
}

// Complete closes the item that is open, completes the response and sends response.completed. Nothing can be sent
// after it: a second end gives ErrTerminalEventSent.
func (e *Emitter) Complete() error {
	if err := e.beforeEnd(); err != nil {
		return err
	}
	e.resp.Complete()
	return e.sink.Send(&ResponseCompletedEvent{Response: e.resp})
}

// Incomplete is Complete for a response that was cut off: an item still open becomes incomplete as well, and
// response.incomplete tells the reason.
func (e *Emitter) Incomplete(reason IncompleteReason) error {
	if e.writer != nil && !e.ended {
		e.writer.markIncomplete()
	}
	if err := e.beforeEnd(); err != nil {
		return err
	}
	e.resp.Incomplete(reason)
	return e.sink.Send(&ResponseIncompleteEvent{Response: e.resp})
}

func (e *Emitter) beforeEnd() error {
	if e.ended {
		return ErrTerminalEventSent
	}
	if err := e.Start(); err != nil {
		return err
	}
	if err := e.closeWriter(); err != nil {
		return err
	}
	e.ended = true
	return nil
}

// open makes w the writer of the new item.
func (e *Emitter) open(w itemWriter, state *openItem, item Item) error {
	index, err := e.add(item)
	if err != nil {
		return err
	}
	*state = openItem{emitter: e, item: item, index: index}
	e.writer = w
	return nil
}

// add appends an item to the response and announces it.
func (e *Emitter) add(item Item) (index int, err error) {
	if e.ended {
		return 0, ErrTerminalEventSent
	}
	if err := e.Start(); err != nil {
		return 0, err
	}
	if err := e.closeWriter(); err != nil {
		return 0, err
	}
	index = len(e.resp.Output)
	e.resp.Output = append(e.resp.Output, item)
	return index, e.sink.Send(&OutputItemAddedEvent{OutputIndex: index, Item: item})
}

// done announces that an item is finished.
func (e *Emitter) done(index int, item Item) error {
	if _, status := itemState(item); status != nil && (*status == "" || *status == StatusInProgress) {
		*status = StatusCompleted
	}
	return e.sink.Send(&OutputItemDoneEvent{OutputIndex: index, Item: item})
}

func (e *Emitter) closeWriter() error {
	if e.writer == nil {
		return nil
	}
	return e.writer.Close()
}

// openItem is the state that all writers share.
type openItem struct {
	emitter *Emitter
	item    Item
	index   int
	closed  bool
}

func (o *openItem) checkOpen() error {
	if o.closed {
		return errItemClosed
	}
	return nil
}

func (o *openItem) send(ev StreamEvent) error { return o.emitter.sink.Send(ev) }

func (o *openItem) id() string {
	id, _ := itemState(o.item)
	return id
}

func (o *openItem) markIncomplete() {
	if _, status := itemState(o.item); status != nil {
		*status = StatusIncomplete
	}
}

// close ends the item with what finish sends and output_item.done. A second call does nothing.
func (o *openItem) close(finish func() error) error {
	if o.closed {
		return nil
	}
	err := finish()
	o.closed = true
	o.emitter.writer = nil
	if err != nil {
		return err
	}
	return o.emitter.done(o.index, o.item)
}
