// Package frame takes the envelopes and prefixes off a line of a log, those of collectors, containers, shells,
// process managers and loggers, and says what they told: the process, the time, the level, where records begin.
//
// The common path: a [Framer] a stream, [Framer.Frame] a line. Each envelope and prefix is optional and may stand
// behind any other. What is certain by its own shape comes off at once (certain.go); what could as well be text
// comes off where something certain stands behind it, or has stood there before (ambiguous.go).
//
// Guarantees: it allocates nothing for an ordinary line; how deep it looks is bounded, and a bound that bites is
// told, see [Framer.Cut].
package frame
