// Package parser turns the bytes of a log into facts.
//
// The common path: a [Session] is fed bytes in any chunking ([Session.Feed]) and closed at the end
// ([Session.Close]), which returns a [Log]: runs, the facts each of them stated, and the incidents in
// which memory failed, with the lines that say so.
//
// What happens to a line: the gate looks for the literals of the message catalogue in the raw bytes;
// only where one is found is the neighbourhood framed (envelopes and process prefixes taken off,
// wrapped lines joined) and matched against the catalogue's templates. A template names the facts it
// captures; the names and units are those of [fact.Table].
//
// Guarantees: the result does not depend on how the input was cut into chunks; memory is bounded
// whatever the input; no input makes it panic. The package knows every message and no advice. It
// has no globals that change, and sessions may run concurrently.
package parser

//go:generate go run ./catalogue/gen
