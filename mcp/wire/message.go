package wire

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// The error codes of JSON-RPC 2.0 and of the protocol.
const (
	codeParse              = -32700
	codeInvalidRequest     = -32600
	codeMethodNotFound     = -32601
	codeInvalidParams      = -32602
	codeInternal           = -32603
	codeResourceNotFound   = -32002 // before 2026-07-28, which says codeInvalidParams
	codeUnsupportedVersion = -32022
)

// Error is an error of the protocol.
type Error struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data,omitempty"`
}

func (e *Error) Error() string { return e.Message }

func failure(code int, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// request is a call, or a notification where it has no id.
type request struct {
	id     json.RawMessage // a string or a number; nil for a notification
	method string
	params json.RawMessage
}

type response struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  any             `json:"result,omitempty"`
	Error   *Error          `json:"error,omitempty"`
}

func reply(id json.RawMessage, result any, err *Error) *response {
	if id == nil {
		id = json.RawMessage("null") // of a message whose id could not be read
	}
	r := &response{Version: "2.0", ID: id, Error: err}
	if err == nil {
		r.Result = result
	}
	return r
}

// parse reads one message. A response, which nobody here has asked for, gives neither a request nor an error.
func parse(text []byte) (*request, *response) {
	var m struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Method  *string         `json:"method"`
		Params  json.RawMessage `json:"params"`
		Result  json.RawMessage `json:"result"`
		Error   json.RawMessage `json:"error"`
	}
	if err := json.Unmarshal(text, &m); err != nil {
		if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) {
			return nil, reply(nil, nil, failure(codeParse, "this is not JSON: %v", err))
		}
		return nil, reply(nil, nil, failure(codeInvalidRequest, "this is no JSON-RPC message: %v", err))
	}
	id := m.ID
	if id != nil && (bytes.IndexByte([]byte(`"-0123456789`), id[0]) < 0 || len(id) > maxID) {
		return nil, reply(nil, nil, failure(codeInvalidRequest, "an id is a string or a number of at most %d bytes", maxID))
	}
	switch {
	case m.Method == nil && (m.Result != nil || m.Error != nil):
		return nil, nil
	case m.Version != "2.0":
		return nil, reply(id, nil, failure(codeInvalidRequest, `"jsonrpc" must be "2.0"`))
	case m.Method == nil:
		return nil, reply(id, nil, failure(codeInvalidRequest, "the method is missing"))
	}
	return &request{id, *m.Method, m.Params}, nil
}

// The bounds of what a client may send: logs belong into files, which tools are given by path.
const (
	maxMessage = 16 << 20
	maxID      = 1 << 10
)

var errTooLong = failure(codeInvalidRequest, "the message is longer than %d MiB; name the file that holds the log instead of sending its text", maxMessage>>20)

// lines reads messages, one a line.
type lines struct{ r *bufio.Reader }

// next returns the next line that is not empty. errTooLong says that one was skipped.
func (l lines) next() ([]byte, error) {
	for {
		text, err := l.line()
		if text = bytes.TrimSpace(text); len(text) > 0 || err != nil {
			return text, err
		}
	}
}

func (l lines) line() ([]byte, error) {
	var whole []byte
	long := false
	for {
		part, err := l.r.ReadSlice('\n')
		if long = long || len(whole)+len(part) > maxMessage; long {
			whole = nil
		} else {
			whole = append(whole, part...)
		}
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case long && (err == nil || err == io.EOF):
			return nil, errTooLong
		case err == io.EOF && len(whole) > 0:
			return whole, nil // a last line without its newline
		}
		return whole, err
	}
}
