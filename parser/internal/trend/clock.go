package trend

import (
	"strconv"

	"github.com/oomdoc/oomdoc/parser/internal/frame"
)

// TimeOf reads the time that a line prints, in seconds. Only differences mean anything, and only between
// lines of one source: a format without a year begins with January, one without a date at midnight.
func TimeOf(s string) (seconds float64, ok bool) {
	i := timeOfDay(s)
	if i < 0 {
		return epoch(s)
	}
	two := func(k int) int { return int(s[k]-'0')*10 + int(s[k+1]-'0') }
	seconds = float64(two(i)*3600 + two(i+3)*60 + two(i+6))
	day, year := dateBefore(s[:i])
	return seconds + 86400*float64(day) + 86400*365.25*float64(year), true
}

// timeOfDay finds 00:00:00.
func timeOfDay(s string) int {
	for i := 0; i+8 <= len(s); i++ {
		if frame.Shaped([]byte(s[i:i+8]), "00:00:00") && (i == 0 || !frame.IsDigit(s[i-1])) {
			return i
		}
	}
	return -1
}

// monthDays counts the days before each month; a leap day's error cancels out within a year.
var monthDays = [...]int{0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334}

const monthNames = "JanFebMarAprMayJunJulAugSepOctNovDec"

// dateBefore reads the date that stands before a time of day: 10-08, 2025-10-08T, 2025/10/08, Oct  8, 1008.
func dateBefore(s string) (day, year int) {
	var numbers []int
	month := 0
	for i := 0; i < len(s); {
		switch {
		case frame.IsDigit(s[i]):
			k := i
			for k < len(s) && frame.IsDigit(s[k]) && k-i < 8 {
				k++
			}
			n, _ := strconv.Atoi(s[i:k])
			numbers = append(numbers, n)
			i = k
		case frame.IsAlpha(s[i]) && i+3 <= len(s):
			for m := 0; m+3 <= len(monthNames); m += 3 {
				if s[i:i+3] == monthNames[m:m+3] {
					month = m/3 + 1
				}
			}
			i += 3
		default:
			i++
		}
	}
	n := len(numbers)
	switch {
	case n == 0:
		return 0, 0
	case month > 0:
		day = numbers[0]
		if n > 1 {
			year = numbers[n-1]
		}
	case n == 1: // glog: month and day in one
		month, day = numbers[0]/100, numbers[0]%100
	default:
		month, day = numbers[n-2], numbers[n-1]
		if n > 2 {
			year = numbers[n-3]
		}
	}
	if month < 1 || month > 12 {
		return 0, 0
	}
	return monthDays[month-1] + day, year
}

// epoch reads seconds since 1970, or a thousandth, millionth or billionth of it.
func epoch(s string) (float64, bool) {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || v < 1e9 || v >= 1e20 {
		return 0, false
	}
	for v >= 1e11 {
		v /= 1000
	}
	return v, true
}

// streak is a condition that holds in one line after the other.
type streak struct {
	lines       int
	begun, last float64
	timed       bool // every line so far has a time, none earlier than the one before
}

// step takes the next line: whether the condition holds in it, and its time.
func (s *streak) step(holds bool, at float64, known bool) {
	switch {
	case !holds:
		*s = streak{}
		return
	case s.lines == 0:
		s.begun, s.timed = at, known
	case !known || at < s.last:
		s.timed = false
	}
	s.lines++
	s.last = at
}

// lasts reports whether the condition has held for that long, by the lines' own times, where they
// have none for that many lines.
func (s *streak) lasts(seconds float64, lines int) bool {
	if s.timed {
		return s.lines > 1 && s.last-s.begun >= seconds
	}
	return s.lines >= lines
}
