// Package report writes a diagnosis as text for people and as JSON for programs. Whatever comes from
// the log is made printable first: no escape sequence of a log reaches a terminal.
package report
