// Package wire speaks the Model Context Protocol over a pair of streams, one JSON message a line, in its
// revisions from 2024-11-05 to 2026-07-28. It knows the protocol and nothing of what is served: tools,
// prompts and resources come from outside.
//
//	s := wire.Server{Name: "oomdoc", Version: "v1.0.0", Tools: tools}
//	err := s.Serve(ctx, os.Stdin, os.Stdout)
//
// Whatever a client sends is answered with the protocol's error or carried out; nothing it sends ends the
// server but the end of its stream. No request waits behind a slow tool, and none of the optional talk
// from server to client (roots, sampling, logging, subscriptions) is used.
package wire
