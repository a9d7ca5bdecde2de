package scan

// A log may say the same for gigabytes: every line an allocation that failed, every line a command. Reading a
// line closely costs a hundred times what the gate does, and the thousandth line of a kind says nothing new.
// So each text of the gate has a credit: reading what it asks for draws on it, and time in the log fills it up
// again. A text without credit is passed over, until some of the log has gone by. What comes seldom, or for
// the first time, is always read.

const (
	maxCredit = 8 << 20 // units of work, see Sink.Work
	refill    = 128     // bytes of log for one unit
)

// credit is what a text of the gate may still ask for, and the place in the log at which this was so.
type credit struct{ left, at int64 }

// affords reports whether the reading that a text asks for at buf[hit] may be done, and charges what was done
// since the last call to the text that asked for it.
func (s *Stream) affords(text, hit int) bool {
	if s.credit == nil {
		s.credit = make([]credit, len(s.texts))
		for i := range s.credit {
			s.credit[i].left = maxCredit
		}
	}
	s.credit[s.asker].left -= int64(s.sink.Work() - s.settled)
	s.settled = s.sink.Work()
	c := &s.credit[text]
	earned := (s.base + int64(hit) - c.at) / refill
	c.left, c.at = min(maxCredit, c.left+earned), c.at+earned*refill
	return c.left > 0
}
