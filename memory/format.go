package memory

// Format prints an amount of memory for people: "5.39 GiB".
func Format(bytes float64) string { return size(bytes) }

// Grouped prints a count with thousands separators: "131,072".
func Grouped(n int) string { return count(float64(n)) }
