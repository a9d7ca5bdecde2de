// Package catalogue is the language in which the messages of vLLM, PyTorch and their hosts are
// written down, and its compiler. The messages are the files *.msg beside this one.
//
//	message startup-free-memory failure {
//	  engine vllm
//	  phase  startup
//	  since  0.9.1
//	  match "Free memory on device[ {:word}] ({startup_free:gib}/{startup_total:gib} GiB) on startup is less than desired GPU memory utilization ({gpu_memory_utilization}, {desired:gib} GiB)"
//	  doc   "The start-up check: the whole card's free memory against utilization × total."
//	  example "Free memory on device (6.92/8.0 GiB) on startup is less than desired GPU memory utilization (0.9, 7.2 GiB). Decrease …" {
//	    startup_free = 6.92 GiB
//	    startup_total = 8 GiB
//	    gpu_memory_utilization = 0.9
//	    desired = 7.2 GiB
//	  }
//	  near "Free memory on device (22.1/23.5 GiB) on startup. Desired GPU memory utilization is (0.9, 21.2 GiB)."
//	}
//
// After the id stands the class: failure (memory failed here), degraded (goes on, slowly), hint
// (maybe memory: a rule must name it), echo (a consequence, never the root), fact (states facts or
// marks a phase), benign (looks like memory trouble and is not; claims its text), clause (a piece of an allocator's
// sentence: two of them with different figures make a failure, in any order), exception (the class of an exception
// of memory: a failure where a traceback ends in it, or beside a clause).
//
// The clauses of a message:
//
//	engine NAME       vllm, sglang, tgi, trtllm, llamacpp, jax, pytorch: the log is that engine's
//	phase NAME        the phase in which this failed, where the message itself tells
//	enters NAME       the run is in this phase from here on
//	starts            a new run begins with this line
//	ready             the engine serves from here on
//	since V, until V  releases that print it, for the reader; never a reason to reject a line
//	alone             the match must be all of the line, prefixes off ("Killed", "MemoryError")
//	periodic          printed every few seconds: a big log is full of it
//	kill              a process got SIGKILL, and the message does not tell from whom
//	ends HOW          a process ended: exception, signal (not SIGKILL), shutdown, killed-by (somebody said so), finished
//	traceback         a traceback begins: the lines up to its exception are read
//	survived          what failed just before was survived
//	beside            only matters next to a failure: the gate does not look for it
//	match "…"         a wording; several are tried in order, the first that matches counts
//	set FACT = VALUE  a fact that the message states by being there
//	doc "…"           what it says and who prints it, with units
//	example "…" {…}   a line of ours in this wording and exactly the facts it must give; at least one
//	near "…"          a line that looks like it and must not match
//
// In a wording, text stands for itself. White space matches any white space, none too: logs are
// wrapped in the middle of words. The rest:
//
//	{fact}            a capture, of the type that the fact's kind suggests
//	{fact:type}       a capture of this type
//	{:type}           something of this type, not kept
//	{fact=A|B}        one of the words, which is the fact's value
//	[…]               optional
//	<a|b|c>           one of
//	\[ \] \< \> \{ \}   the characters themselves; \| too, inside brackets
//
// Types: size (number and unit; bytes, KiB … TiB, KB … TB, all powers of 1024), gib, mib, kib, bytes
// (a bare number in this unit), gb10, mb10 (a bare number in decimal units), pages (of 4 KiB), int
// (thousands separators allowed), num (signed, decimals), percent (a number; the sign stands in the
// text), word (up to white space or one of ,;()[]{}'"), name (a quoted string, or up to the next
// literal on the line, at most 200 bytes), any (up to the next literal, at most 400 bytes, on the
// same record), rest (to the end of the record). A wording has a text of at least 4 bytes before its first
// alternatives, and in each of those that it begins with, so that it can be found; only figures and shorter texts
// may stand in front of it. It never ends within a number: "signal 9" is not "signal 99".
package catalogue
