package story

import (
	"maps"
	"slices"
)

func (r *Run) clone() *Run {
	c := *r
	c.Facts, c.Phases, c.Incidents = maps.Clone(r.Facts), slices.Clone(r.Phases), make([]*Incident, len(r.Incidents))
	for i, inc := range r.Incidents {
		d := *inc
		d.Messages, d.Frames, d.Origins = slices.Clone(inc.Messages), slices.Clone(inc.Frames), slices.Clone(inc.Origins)
		d.Devices, d.listed = slices.Clone(inc.Devices), slices.Clone(inc.listed)
		d.Failed = slices.Clone(inc.Failed)
		d.Facts, d.Before = maps.Clone(inc.Facts), maps.Clone(inc.Before)
		c.Incidents[i] = &d
	}
	return &c
}
