package speaker

// Genre is what a message stands in when it is not the process's own. The values are public.
type Genre string

// The genres.
const (
	Own          Genre = ""             // the process says it
	Prompt       Genre = "prompt"       // a request to a model, or its answer
	Source       Genre = "source"       // a program's text, or a configuration's
	Manual       Genre = "manual"       // a text that tells its reader what may happen
	Test         Genre = "test"         // made up by a test
	Diff         Genre = "diff"         // a patch
	Conversation Genre = "conversation" // turns of a chat
	Table        Genre = "table"        // a row of a table
	Other        Genre = "other"        // an address, a list of changes
)

// Verdict says whose words a message is.
type Verdict struct {
	Genre Genre
	Why   string // one clause; "" where the genre is Own, and where nobody need be told
}
