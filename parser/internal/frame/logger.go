package frame

import "bytes"

// logged notes that a logger's head was found.
func (l *layers) logged(level string) {
	l.Head, l.Logger = true, true
	if level != "" {
		l.level = level
	}
}

// leveled takes off a head that begins with a level:
//
//	INFO 10-08 20:33:48 [core.py:708] …      vLLM; without the brackets before 0.8.0
//	INFO:     Started server process         uvicorn
//	WARNING:root:…                           python logging without configuration
//	INFO 2025-10-08 20:33:48,123 serve 12 controller.py:9 -- …
//
// "ERROR: …" with one blank tells the level, but may be the message's own first word, so it stays.
func (f *Framer) leveled(l *layers, b []byte, name string, n int) int {
	rest := b[n:]
	if len(rest) == 0 {
		return 0
	}
	if rest[0] == ':' {
		switch gap := blanks(rest[1:]); {
		case gap >= 2:
			l.logged(name)
			return n + 1 + gap
		case gap == 1:
			if l.level == "" {
				l.level = name
			}
			l.Head = true
			return 0
		}
		k := 1
		for k < len(rest) && (isAlnum(rest[k]) || rest[k] == '.' || rest[k] == '_' || rest[k] == '-') {
			k++
		}
		if k < 3 || IsDigit(rest[1]) || k >= len(rest) || rest[k] != ':' {
			return 0
		}
		l.logged(name)
		return n + k + 1
	}
	gap := blanks(rest)
	if gap == 0 {
		return 0
	}
	at := n + gap
	if k := shortStamp(b[at:]); k > 0 {
		l.logged(name)
		f.at(l, b[at:at+k])
		at += k
		at += blanks(b[at:])
		return at + place(b[at:])
	}
	if k := stamp(b[at:]); k > 0 {
		l.logged(name)
		f.at(l, b[at:at+k])
		at += k
		return at + afterPlace(b[at:])
	}
	if hasPrefix(b[at:], "[") {
		if k := place(b[at:]); k > 0 {
			l.logged(name)
			return at + k
		}
	}
	return 0
}

// afterPlace skips the file, and what stands before it, of heads like
// " worker.py:1749 -- " and " serve 12 controller.py:9 - ".
func afterPlace(b []byte) int {
	near := b[:min(len(b), 160)]
	at := bytes.Index(near, []byte(".py:"))
	if at < 0 {
		return 0
	}
	at += len(".py:")
	at += digitRun(near, at)
	for _, sep := range []string{" -- ", " - ", "] "} {
		if hasPrefix(near[at:], sep) {
			return at + len(sep)
		}
	}
	return 0
}

// glog takes off "E0325 20:57:27.620000 123 site-packages/x.py:12] ".
func (f *Framer) glog(l *layers, b []byte) int {
	if !Shaped(b[1:], "0000 00:00:00") || levelLetter(b[0]) == "" {
		return 0
	}
	end := 6 + clock(b[6:])
	if end == 6 {
		return 0
	}
	n := upTo(b[end:], "]", 240)
	if n == 0 || !endsInLine(b[end:end+n-1]) {
		return 0
	}
	l.logged(levelLetter(b[0]))
	f.at(l, b[1:end])
	return end + n
}

// endsInLine reports whether b ends like "x.cpp:601".
func endsInLine(b []byte) bool {
	i := len(b)
	for i > 0 && IsDigit(b[i-1]) {
		i--
	}
	return i < len(b) && i > 2 && b[i-1] == ':' && IsAlpha(b[i-2])
}

// bracket takes off what begins with "[".
func (f *Framer) bracket(l *layers, b []byte) int {
	if len(b) < 3 {
		return 0
	}
	switch c := b[1]; {
	case IsDigit(c):
		if n := f.stampBracket(l, b); n > 0 {
			return n
		}
		if n := f.ranked(l, b); n > 0 {
			return n
		}
		return f.kernel(l, b)
	case c == ' ':
		return f.kernel(l, b)
	case c >= 'A' && c <= 'Z':
		if n := f.levelBracket(l, b); n > 0 {
			return n
		}
		if n := dayStamp(b[1:]); n > 0 && hasPrefix(b[1+n:], "]") { // dmesg -T, Apache
			f.at(l, b[1:1+n])
			l.enveloped = true
			return n + 2
		}
		if l.Origin == "kernel" {
			return f.kernel(l, b)
		}
		if n := f.glogBracket(l, b); n > 0 {
			return n
		}
		return f.engineBracket(l, b)
	case c >= 'a' && c <= 'z':
		if n := f.ranked(l, b); n > 0 {
			return n
		}
		return f.nameBracket(l, b)
	}
	return 0
}

// stampBracket takes off a head whose time is in brackets:
//
//	[2025-10-16 09:06:22 TP5] …                            SGLang
//	[2024-04-29 03:41:02,313] [INFO] [x.py:203:f] …         DeepSpeed
//	[2024-04-29 03:41:02,313][__main__][INFO] - …           Hydra
//	[2024-04-29 03:41:02,313 E 1234 5678] …                 Ray
//	[10/16/2025-09:06:22] [TRT-LLM] [RANK 2] [E] …          TensorRT-LLM
//	[16:10:33] stdout/INFO  …
func (f *Framer) stampBracket(l *layers, b []byte) int {
	n := stamp(b[1:])
	bare := n == 0
	if bare {
		n = clock(b[1:])
	}
	if n == 0 {
		return 0
	}
	end := 1 + n
	close := upTo(b[end:], "]", 48)
	if close == 0 {
		return 0
	}
	tags := bytes.TrimSpace(b[end : end+close-1])
	if bare && len(tags) > 0 {
		return 0
	}
	name, k := level(tags)
	switch {
	case len(tags) == 0:
	case ranks(tags):
		f.from(l, gradeRank, tags)
	case k > 0: // [2025-10-08T20:33:48Z INFO  module]
	case levelLetter(tags[0]) != "" && len(tags) > 1 && tags[1] == ' ':
		name = levelLetter(tags[0])
	default:
		return 0
	}
	f.at(l, b[1:end])
	l.Head = true
	l.Logger = l.Logger || !bare
	if name != "" {
		l.level = name
	}
	end += close
	return end + f.fields(l, b[end:])
}

// ranks reports whether tags are SGLang's, such as "DP0 TP1".
func ranks(tags []byte) bool {
	for len(tags) > 0 {
		i := 0
		for i < len(tags) && (tags[i] >= 'A' && tags[i] <= 'Z' || tags[i] == '_') {
			i++
		}
		n := digitRun(tags, i)
		if i < 2 || n == 0 || i+n < len(tags) && tags[i+n] != ' ' {
			return false
		}
		tags = tags[i+n:]
		tags = tags[blanks(tags):]
	}
	return true
}

// fields skips the bracketed fields behind a bracketed time: " [INFO] [x.py:203:f] ",
// "[__main__][INFO] - ", " [TRT-LLM] [RANK 2] [E] ". It takes no bracket unless a level is among them.
func (f *Framer) fields(l *layers, b []byte) int {
	end, i := 0, 0
	for range 5 {
		i += blanks(b[i:])
		if i >= len(b) || b[i] != '[' {
			break
		}
		n := upTo(b[i:], "]", 120)
		if n == 0 {
			break
		}
		inner := bytes.TrimSpace(b[i+1 : i+n-1])
		name, k := level(inner)
		letter := len(inner) == 1 && levelLetter(inner[0]) != ""
		switch {
		case letter || k > 0 && k == len(inner):
			if letter {
				name = levelLetter(inner[0])
			}
			if end > 0 {
				n = 0 // the level is known: this one is text
			} else {
				l.logged(name)
				end = i + n
			}
		case end > 0 && place(b[i:]) == n:
			end = i + n
		case end == 0 && hasPrefix(inner, "RANK "):
			if d := digitRun(inner, 5); d > 0 {
				f.rank(l, inner[5:5+d])
			}
		case end > 0:
			n = 0
		}
		if n == 0 {
			break
		}
		i += n
	}
	if end > 0 && hasPrefix(b[end:], " - ") {
		end += 3
	}
	return end
}

// levelBracket takes off "[INFO] ", "[ERROR ]" and "[INFO|tokenization_utils.py:20] 2024-05-17 00:49:26,172 >> ".
func (f *Framer) levelBracket(l *layers, b []byte) int {
	name, k := level(b[1:])
	if k == 0 {
		return 0
	}
	end := 1 + k + blanks(b[1+k:])
	if end >= len(b) {
		return 0
	}
	switch b[end] {
	case ']':
		end++
	case '|':
		n := upTo(b[end:], "]", 120)
		if n == 0 || !endsInLine(b[end:end+n-1]) {
			return 0
		}
		end += n
		l.logged(name)
		at := end + blanks(b[end:])
		if n := stamp(b[at:]); n > 0 {
			f.at(l, b[at:at+n])
			end = at + n
			if hasPrefix(b[end:], " >> ") {
				end += 4
			}
		}
		return end
	default:
		return 0
	}
	l.Head = true
	l.level = name
	if place(b[end+blanks(b[end:]):]) > 0 && hasPrefix(b[end:], " [") {
		l.Logger = true
		end++
		end += place(b[end:])
	}
	return end
}

// glogBracket takes off PyTorch's C++ heads: "[W1008 20:33:48.123456789 socket.cpp:464] ", "[E socket.cpp:601] ".
func (f *Framer) glogBracket(l *layers, b []byte) int {
	if levelLetter(b[1]) == "" {
		return 0
	}
	end := upTo(b, "]", 200)
	if end == 0 || !endsInLine(b[:end-1]) {
		return 0
	}
	switch {
	case b[2] == ' ' && bytes.IndexByte(b[3:end], ' ') < 0:
	case Shaped(b[2:], "000 00:00:00"), Shaped(b[2:], "0000 00:00:00"):
		at := 2 + upTo(b[2:], " ", 6)
		f.at(l, b[2:at+clock(b[at:])])
	default:
		return 0
	}
	l.logged(levelLetter(b[1]))
	return end
}

// engineBracket takes off "[TRT-LLM] [I] ", "[TensorRT-LLM][INFO] " and "[NeMo I 2024-05-01 12:00:00 x:1] ".
func (f *Framer) engineBracket(l *layers, b []byte) int {
	if hasPrefix(b, "[TRT-LLM]") || hasPrefix(b, "[TensorRT-LLM]") || hasPrefix(b, "[TRT]") {
		return f.fields(l, b)
	}
	if hasPrefix(b, "[NeMo ") && len(b) > 8 && levelLetter(b[6]) != "" {
		n := stamp(b[8:])
		end := upTo(b, "]", 120)
		if n == 0 || end == 0 {
			return 0
		}
		l.logged(levelLetter(b[6]))
		f.at(l, b[8:8+n])
		return end
	}
	return 0
}
