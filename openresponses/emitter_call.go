package openresponses

// FunctionCallWriter streams the arguments of a function call.
type FunctionCallWriter struct {
	openItem
	call    *FunctionCall
	builder textBuilder
}

// Item returns the live call.
func (w *FunctionCallWriter) Item() *FunctionCall { return w.call }

// Arguments appends to the arguments, which together are JSON. It is an error after Close.
func (w *FunctionCallWriter) Arguments(delta string) error {
	if err := w.checkOpen(); err != nil {
		return err
	}
	w.builder.append(&w.call.Arguments, delta)
	return w.send(&FunctionCallArgumentsDeltaEvent{ItemID: w.id(), OutputIndex: w.index, Delta: delta})
}

// Close ends the arguments and the call. Opening the next item and ending the stream do it too; closing again does
// nothing.
func (w *FunctionCallWriter) Close() error {
	return w.close(func() error {
		return w.send(&FunctionCallArgumentsDoneEvent{
			ItemID: w.id(), OutputIndex: w.index, Arguments: w.call.Arguments,
		})
	})
}
