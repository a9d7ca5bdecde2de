package logstore

import (
	"bytes"
	"strings"
)

const (
	longLine  = 64 << 10 // a longer line is shown in pieces of this many bytes
	shownLine = 8 << 10  // how much of a line is shown
	gulp      = 64 << 10 // bytes read at a time
)

// Line is a line of a log and where it stands.
type Line struct {
	Off, End int64 // End is where the next one begins
	Text     string
}

// Ends reports whether another line follows, not the next piece of this one.
func (l Line) Ends() bool { return strings.HasSuffix(l.Text, "\n") || l.End-l.Off < longLine }

// Forward returns up to n lines from the one that begins at an offset.
func (l *Log) Forward(off int64, n int) []Line {
	var out []Line
	size := l.Size()
	off = max(off, l.First())
	for len(out) < n && off < size {
		p := l.read(off, gulp+longLine)
		if len(p) == 0 {
			break
		}
		for len(out) < n && len(p) > 0 {
			k := lineEnd(p)
			if k < 0 {
				if off+int64(len(p)) < size && len(p) < longLine {
					break // the rest of the line has to be read
				}
				k = min(len(p), longLine)
			}
			out = append(out, Line{off, off + int64(k), shown(p[:k])})
			off += int64(k)
			p = p[k:]
		}
	}
	return out
}

// lineEnd returns the length of the line at the beginning of p, its end included; −1 where it has none
// within the longest.
func lineEnd(p []byte) int {
	k := bytes.IndexByte(p[:min(len(p), longLine)], '\n')
	if k < 0 {
		return -1
	}
	return k + 1
}

func shown(p []byte) string { return string(p[:min(len(p), shownLine)]) }

// Backward returns up to n lines before the one that begins at an offset, in the log's order.
func (l *Log) Backward(off int64, n int) []Line {
	var out []Line
	first := l.First()
	for len(out) < n && off > first {
		from := max(first, off-gulp-longLine)
		p := l.read(from, off-from)
		if int64(len(p)) < off-from {
			break
		}
		for len(out) < n && len(p) > 0 {
			k := lineStart(p)
			if k == 0 && from > first && len(p) < longLine {
				break
			}
			end := from + int64(len(p))
			out = append(out, Line{from + int64(k), end, shown(p[k:])})
			p = p[:k]
		}
		off = from + int64(len(p))
	}
	for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	return out
}

// lineStart returns where the last line of p begins.
func lineStart(p []byte) int {
	low := max(0, len(p)-longLine)
	k := bytes.LastIndexByte(p[low:len(p)-1], '\n')
	if k < 0 {
		return low
	}
	return low + k + 1
}

// start returns where the line begins that ends at or spans the byte before an offset.
func (l *Log) start(off int64) int64 {
	if lines := l.Backward(off, 1); len(lines) > 0 {
		return lines[0].Off
	}
	return 0
}
