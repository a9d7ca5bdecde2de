//go:build !unix

package main

import "errors"

func replaceWith(string, []string) error { return errors.ErrUnsupported }
