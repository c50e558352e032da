// Package compact keeps requests within a budget of tokens: a [Transform] replaces the older
// part of a conversation by something shorter, in the request only. The transcript stays whole.
//
//	fold := compact.NewLocal(model, compact.WithBudget(60_000))
//	config.Transform = fold.Transform
//
// [NewLocal] has an ordinary model write a summary; [New] uses the compaction endpoint of a
// server that has one.
//
// # What is folded
//
// When the estimate of a request is over the budget, all but the last few items are folded:
// [WithKeepLast] says how many stay. A call is never parted from its output. Items that must
// not be lost word for word are pinned with [WithPin]. The fold is remembered, so that later
// turns of the same conversation send it again without another call; when they outgrow the
// budget, it is folded in turn.
//
// # What a fold costs
//
// One model call over what is folded, twice where a summary is of no use: without text, cut off
// or longer than what it replaces. Then the request goes out as it is and the same prefix is
// left alone for a while. Any other failure fails the turn. [WithOnFold] hears of every fold,
// with its cost and its error.
//
// # When it does not fit
//
// The estimate is a guess, a quarter of the JSON's bytes, and a fold may not be enough. An item
// that is larger than the budget by itself is clipped for the summary, and the summary told so.
// [Transform.Retry] folds once more when a model refuses a request as too long, and
// [WithLimit] keeps requests from being sent that are hopeless: they end in a
// [*CannotShrinkError].
//
// A Transform is for one conversation at a time: shared, it works, and forgets each for the
// other.
package compact
