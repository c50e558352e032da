// Package fold turns the wire events of one model call into changes of items.
//
// A [Folder] takes the events of one attempt in the order they came and says what each did: an item opened, was
// updated, completed; the server reported an error; the terminal response arrived. Once the stream is over, its
// [Result] is the response to act on, with the calls as the transcript has them. The package is pure: it has no
// goroutine, channel, clock or random number, and the same events give the same changes. What it must not decide by
// itself, the ID a call runs under, it asks for.
//
// Servers are sloppy. The rest of this comment says what the package makes of that.
//
// # Which item an event means
//
// Every item the stream opens or completes has a slot, numbered in the order they opened; one that was never opened
// counts as opened when it completes. Output indexes can repeat, or be missing and so all be zero, and item IDs can
// be missing, so an event finds its slot like this:
//
//  1. An item ID the stream has used for an item of that type means that item, whatever the index.
//  2. Otherwise a completion means the item of its type opened last at its index that is not complete yet.
//     A function call that carries an item ID is never that item when the item has another ID.
//  3. Otherwise it is a new item.
//
// An output_item.added opens a new item unless its ID is known. A call keeps the ID it was given when it opened,
// also when the model names it otherwise at completion, and an item ID first seen at completion names the item from
// then on.
//
// # What repeats
//
// A completion stated twice is one completion. An output_item.done is a restatement, and changes nothing, when its
// item ID and type are those of a completed item; or when it has no item ID, nothing is open at its index, and its
// content equals that of the item completed last there. Two different calls at one index without IDs are two calls.
//
// # Who owns an item
//
// The item of an [Open] or [Update] change is live: the accumulator goes on writing to it. That of a [Done] change
// is the receiver's own, and no later event reaches it, nor the terminal response, nor the event of an Update. A call that runs under another ID
// than the model's is always shown as a copy with that ID.
//
// # The response and its calls
//
// The calls the stream completed stand in the response in place of those the server lists, paired by item ID, then
// by the model's call ID, then by order. When the response lists fewer, all listed ones give way to all completed
// ones, so that each completed call is there exactly once.
//
// A call that the response lists and the stream never completed is [Unstreamed]: the transcript still has to take
// it. So is every item of a response that came whole, with no item streamed at all. Other items that only the
// response lists stay there alone. A call the stream opened, never completed, and the response does not list is
// nowhere.
//
// # What must not run
//
// A call is cut off, and must not run even if its arguments happen to parse, when
//
//   - it is incomplete by its own status, as streamed or as listed;
//   - the stream did not complete it and the response is not completed, unless the call's own status is; or
//   - it is the last output item of an incomplete response, unless the call's own status is completed.
//
// # Arguments
//
// In the arguments of a complete call, what no encoder can send again is replaced: an escaped surrogate without its
// other half by \ufffd, bytes that are not UTF-8 by U+FFFD. Everything else of an item is as the server sent it.
package fold
