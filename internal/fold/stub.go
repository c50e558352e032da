package fold

import "github.com/ChristopherDavenport/openresponses"

type Kind uint8

const (
	Open Kind = iota + 1
	Update
	Done
	Fail
	Terminal
)

type Change struct {
	Kind        Kind
	Slot        int
	Item        openresponses.Item
	Event       openresponses.StreamEvent
	ResponseID  string
	ModelCallID string
	Commits     bool
	Err         error
}
type Folder struct{}

func New(decide func(modelID string) string) *Folder        { panic("") }
func (f *Folder) Add(ev openresponses.StreamEvent) []Change { panic("") }
func (f *Folder) Replace(slot int, item openresponses.Item) {}
func (f *Folder) Before(slot int) openresponses.Items       { return nil }
func (f *Folder) Response() *openresponses.Response         { return nil }
func (f *Folder) Accumulated() *openresponses.Response      { return nil }
func (f *Folder) Result() Result                            { return Result{} }

type Result struct {
	Response   *openresponses.Response
	Calls      []Call
	Unstreamed []Unstreamed
}
type Call struct {
	Item   *openresponses.FunctionCall
	CutOff bool
}
type Unstreamed struct {
	Item        openresponses.Item
	ModelCallID string
	Opened      bool
	Slot        int
}

func OutputIndex(ev openresponses.StreamEvent) (int, bool) { return 0, false }
