// Package metrics says what the logs say in the text format of Prometheus, for node_exporter's textfile
// collector: nothing here listens. Labels hold no pid, line, message or rank, and at most maxSources sources.
//
//	c := metrics.New(version, knowledge)
//	c.Look(diagnosis, nil)
//	c.WriteFile("/var/lib/node_exporter/oomdoc.prom")
//
// Alert on the time stamp, not on the counter: a counter that appears with 1 has not increased.
//
//	time() - oomdoc_last_incident_timestamp_seconds < 300
package metrics
