// Package rules decides: which cause explains an incident, how sure that is, and which remedies help.
// It knows no cause by name; all of it follows from package knowledge's conditions, evaluated over
// the facts of package parser and the sums of package memory.
package rules
