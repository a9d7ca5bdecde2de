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

// loadCheckpoint reads a checkpoint; one that is not there is empty.
func loadCheckpoint(path string) (c checkpoint, err error) {
	b, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return c, nil
	}
	if err == nil {
		err = json.Unmarshal(b, &c)
	}
	if err == nil && c.Version != checkpointVersion {
		err = fmt.Errorf("version %d is not known", c.Version)
	}
	if err != nil {
		return c, fmt.Errorf("checkpoint %s: %w", path, err)
	}
	return c, nil
}

// remembered are the files that were read within the time that a checkpoint keeps them.
func (c checkpoint) remembered(now time.Time) map[string][]mark {
	files := map[string][]mark{}
	for path, marks := range c.Files {
		if slices.ContainsFunc(marks, func(m mark) bool { return now.Sub(m.Time) < keepFor }) {
			files[path] = marks
		}
	}
	return files
}

// write writes the file beside and renames it, so that there is always a whole one.
func (c checkpoint) write(path string) error {
	b, err := json.Marshal(c)
	if err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	_, err = tmp.Write(b)
	err = errors.Join(err, tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err != nil {
		os.Remove(tmp.Name())
	}
	return err
}
