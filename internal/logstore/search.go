package logstore

import "strings"

// step is how much of a log one step looks through, bytes.
const step = 2 << 20

// Search looks for lines in a log, a step at a time, so that a screen stays alive meanwhile.
type Search struct {
	Log   *Log
	Query *Query
	Keep  map[int64]bool // offsets of lines that always match
	Back  bool
	Want  int
	At    int64 // where it goes on: the beginning of a line
	Size  int64 // of the log when it began
	Found []Line
	Done  bool
}

// Step does one step.
func (s Search) Step() Search {
	var scratch []byte
	for read := int64(0); read < step && !s.Done; {
		var lines []Line
		if s.Back {
			lines = s.Log.Backward(s.At, 512)
		} else {
			lines = s.Log.Forward(s.At, 512)
		}
		if len(lines) == 0 {
			s.Done = true
			break
		}
		for i := range lines {
			l := lines[i]
			if s.Back {
				l = lines[len(lines)-1-i]
				s.At = l.Off
			} else {
				s.At = l.End
			}
			read += l.End - l.Off
			if s.Keep[l.Off] || s.Query.match([]byte(strings.TrimRight(l.Text, "\r\n")), &scratch) {
				s.Found = append(s.Found, l)
				if len(s.Found) >= s.Want {
					s.Done = true
					break
				}
			}
		}
	}
	return s
}
