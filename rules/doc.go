// Package rules decides: which cause explains an incident, how sure that is, and which remedies help.
// It knows no cause by name; all of it follows from package knowledge's conditions, evaluated over
// the facts of package parser and the sums of package memory.
//
// [Diagnose] is the common path: a log and a knowledge base in, a [Diagnosis] out. [Lint] says what is
// wrong with a knowledge base. Conditions and values are written in one small language (condition.go),
// whose code for the built-in knowledge go generate writes to conditions_gen.go.
package rules
