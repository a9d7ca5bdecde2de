// Package speaker tells whose words a message is: the process's own, or somebody's who speaks of such a
// message. A log holds both. Servers dump prompts, programs print sources, people paste manuals, and a
// source file is a text like any other that can be piped in.
//
// A [Tracker] is shown every line of a stream in order, and [Tracker.Judge] is asked about every message that
// was matched. The judgement is one list of rules ([Rules]), read from the top; the first that holds decides.
// There are five kinds of evidence:
//
//   - Spans that are open at the message: a string in quotes with the key or the callee in front of it, a chat
//     turn, a docstring, a block that an "if you see" announces, a file that a shell printed, a hunk of a patch,
//     a captured section of a test's report. A span has two ends. What stands behind its end is outside of it,
//     whatever stood inside. A span over several lines is certain only when its end comes: until then what is
//     said in it is held back, and where the end does not come it was none.
//   - The form of the message itself: a regular expression or a place for a number where a process prints one.
//   - Signs of life beside the message: a logger's head, a clock, a process with its pid, the frames of a
//     traceback directly above it. What has them is the process's own, in a manual too; only an open span and
//     the form weigh more.
//   - The words around it in the sentence: what may happen to the reader ("if you see"), what was mended
//     ("fixed"), what it means ("… means that").
//   - The genre of the surroundings: the lines before, each of which looks like output, source, or prose with
//     headings. In a source a message counts only outside of strings and comments; in a manual only where
//     somebody speaks of what happened to himself.
//
// Without evidence a message is the process's own: most input is a log, or the piece of one that somebody found
// worth pasting.
//
// What is not the process's own is never dropped without a word: it becomes a quotation with its genre and its
// reason.
package speaker
