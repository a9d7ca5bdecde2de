package follow

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// checkpoint is what the checkpoint file holds: for each path its generations and how far they were
// read. It is written every second while there is news, and at the end; what was read in the second
// before a crash is read again.
type checkpoint struct {
	Version int               `json:"version"`
	Saved   time.Time         `json:"saved"`
	Files   map[string][]mark `json:"files"`
}

const checkpointVersion = 1

// keepFor is how long a file that is not followed any more is remembered after its last change.
const keepFor = 30 * 24 * time.Hour

func (f *follower) loadCheckpoint() error {
	if f.opts.Checkpoint == "" {
		return nil
	}
	b, err := os.ReadFile(f.opts.Checkpoint)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = json.Unmarshal(b, &f.saved)
	}
	if err == nil && f.saved.Version != checkpointVersion {
		err = fmt.Errorf("version %d is not known", f.saved.Version)
	}
	if err != nil {
		return fmt.Errorf("checkpoint %s: %w", f.opts.Checkpoint, err)
	}
	return nil
}

// saveCheckpoint writes the file beside and renames it, so that there is always a whole one.
func (f *follower) saveCheckpoint(now time.Time) error {
	f.changed, f.savedAt = false, now
	if f.opts.Checkpoint == "" {
		return nil
	}
	c := checkpoint{Version: checkpointVersion, Saved: now, Files: map[string][]mark{}}
	for path, marks := range f.saved.Files { // those of paths that are not followed this time
		if slices.ContainsFunc(marks, func(m mark) bool { return now.Sub(m.Time) < keepFor }) {
			c.Files[path] = marks
		}
	}
	for _, t := range f.order {
		marks := append([]mark{}, t.known...)
		for _, g := range t.gens {
			if g.off > 0 {
				marks = append(marks, g.mark())
			}
		}
		c.Files[t.path] = marks
	}
	b, err := json.Marshal(c)
	if err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(f.opts.Checkpoint), filepath.Base(f.opts.Checkpoint)+".*")
	if err == nil {
		_, err = tmp.Write(b)
		err = errors.Join(err, tmp.Close())
		if err == nil {
			err = os.Rename(tmp.Name(), f.opts.Checkpoint)
		}
		if err != nil {
			os.Remove(tmp.Name())
		}
	}
	if err != nil {
		return f.once("", "the checkpoint cannot be written: "+reason(err))
	}
	return nil
}
