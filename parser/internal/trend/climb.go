package trend

// climb is a figure that rises from reading to reading.
type Climb struct {
	Base, last float64
	rises      int
	Calm       int // readings without a new height
	Warned     bool
}

const (
	ClimbRises = 8
	ClimbShare = 1.1       // of where it began
	ClimbLeast = 256 << 20 // bytes
	HostRises  = 3
	HostHigh   = 92 // percent of the host's memory
	HostCalm   = 88
	maxClimbs  = 256
)

// take adds a reading; it returns how often in a row the figure has risen.
func (c *Climb) Take(v float64) int {
	switch {
	case c.last == 0 || v <= c.last:
		c.Calm++
		if v < c.last || c.last == 0 || c.Calm > 1 {
			c.Base, c.rises = v, 0
		}
	default:
		c.rises++
		c.Calm = 0
	}
	c.last = v
	return c.rises
}

func ClimbOf(m *map[string]*Climb, origin string) *Climb {
	if *m == nil {
		*m = map[string]*Climb{}
	}
	c := (*m)[origin]
	if c == nil {
		c = &Climb{}
		if len(*m) < maxClimbs {
			(*m)[origin] = c
		}
	}
	return c
}
