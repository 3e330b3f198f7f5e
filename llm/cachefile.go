package llm

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// file is an entry as its file has it.
type file struct {
	Version int       `json:"v"`
	Created time.Time `json:"created"`
	answer
}

// path is the file of a key. Keys are hexadecimal, and no other name gets here.
func (c *Cache) path(key string) string { return filepath.Join(c.dir, key+cacheSuffix) }

const (
	cacheSuffix  = ".json"
	cacheVersion = 1
	newPrefix    = ".new-" // of files that are being written
)

// readFile reads an answer from the directory. A file that makes no sense is
// none, and gets replaced.
func (c *Cache) readFile(key string) *entry {
	if c.dir == "" {
		return nil
	}
	text, err := os.ReadFile(c.path(key))
	var f file
	if err != nil || json.Unmarshal(text, &f) != nil || f.Version != cacheVersion {
		return nil
	}
	return &entry{Key: key, Created: f.Created, Reply: f.answer}
}

func (c *Cache) writeFile(e *entry) error {
	if c.dir == "" {
		return nil
	}
	text, err := json.Marshal(file{cacheVersion, e.Created, e.Reply})
	if err != nil {
		return err
	}
	if err := os.MkdirAll(c.dir, 0o700); err != nil {
		return err
	}
	return replaceFile(c.path(e.Key), text)
}

// replaceFile writes a file so that whoever reads it at any time finds the old
// text or the new one, whole. Its owner alone may read it.
func replaceFile(path string, text []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), newPrefix+"*") // 0600
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err == nil {
		err = f.Sync()
	}
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}

// removeFiles empties the directory of what is the cache's, and adds its keys to
// those that were there.
func (c *Cache) removeFiles(keys map[string]bool) error {
	if c.dir == "" {
		return nil
	}
	found, err := os.ReadDir(c.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, f := range found {
		if strings.HasPrefix(f.Name(), newPrefix) { // left by a process that died
			_ = os.Remove(filepath.Join(c.dir, f.Name()))
		}
		key, ours := strings.CutSuffix(f.Name(), cacheSuffix)
		if !ours || len(key) != 64 {
			continue
		}
		keys[key] = true
		if gone := os.Remove(c.path(key)); gone != nil && !errors.Is(gone, fs.ErrNotExist) {
			err = errors.Join(err, gone)
		}
	}
	return err
}
