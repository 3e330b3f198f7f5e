package llm

import (
	"container/list"
	"context"
	"sync"
	"time"
)

// Cache keeps complete answers: the most recent ones in memory, all of them in a
// directory, if it has one. Several processes may use one directory. Calls for
// the same answer at the same time share one request.
type Cache struct {
	dir string // "" is none

	mu     sync.Mutex
	kept   map[string]*list.Element // of entry
	recent list.List                // the last used first
	bytes  int
	stats  CacheStats
	flying map[string]*flight
}

// CacheStats counts what was asked of a [Cache].
type CacheStats struct {
	Hits, Misses int
	Size         int // answers in memory
}

// maxCached bounds the answers in memory, in bytes.
const maxCached = 64 << 20

// entry is an answer of the cache.
type entry struct {
	Key     string
	Created time.Time
	Reply   answer
}

// flight is a request whose answer several calls wait for.
type flight struct {
	done  chan struct{}
	reply *Response // nil when it failed
}

// NewCache returns an empty cache above the directory, which is made when the
// first answer is stored; "" keeps answers in memory alone.
func NewCache(dir string) *Cache {
	return &Cache{dir: dir, kept: map[string]*list.Element{}, flying: map[string]*flight{}}
}

// Stats returns what was asked so far.
func (c *Cache) Stats() CacheStats {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stats.Size = len(c.kept)
	return c.stats
}

// Clear removes all answers, also those in the directory, and returns how many
// there were.
func (c *Cache) Clear() (int, error) {
	c.mu.Lock()
	keys := map[string]bool{}
	for key := range c.kept {
		keys[key] = true
	}
	c.kept, c.bytes = map[string]*list.Element{}, 0
	c.recent.Init()
	c.mu.Unlock()
	err := c.removeFiles(keys)
	return len(keys), err
}

// Locator is a provider that says where it asks, which tells apart the cached
// answers of providers of one name.
type Locator interface {
	Location() string
}

// CacheKey is the key of the answer that the provider gives to the request.
func CacheKey(p Provider, req *Request) string {
	where := ""
	if l, ok := p.(Locator); ok {
		where = l.Location()
	}
	return req.Fingerprint(p.Name(), where)
}

// CacheKey is the key under which the cache has the answer of the chain's first
// entry.
func (c *Call) CacheKey(req *Request) string {
	first := c.Chain[0]
	return CacheKey(first.Provider, forEntry(req, first))
}

// cached answers from the cache if it can, and stores what the entry answers.
func (x *exchange) cached(next handler) handler {
	if x.Cache == nil || x.Tape != nil || x.onText != nil {
		return next
	}
	return func(ctx context.Context) error {
		key := CacheKey(x.entry.Provider, x.req)
		for {
			f, mine, err := x.lookup(ctx, key)
			if err != nil || x.reply != nil {
				return err
			}
			if mine {
				return x.lead(ctx, key, f, next)
			}
		}
	}
}

// lookup finds the answer, or makes this call the one that gets it. A call that
// another one waits for must not wait for that, and gets an answer of its own.
func (x *exchange) lookup(ctx context.Context, key string) (f *flight, mine bool, err error) {
	err = x.block(ctx, func(ctx context.Context) error {
		if x.reply = x.Cache.get(key, x.now(), x.CacheFor); x.reply != nil {
			return nil
		}
		if x.Nested {
			mine = true
			return nil
		}
		if f, mine = x.Cache.join(key); mine {
			return nil
		}
		return x.follow(ctx, f)
	})
	return f, mine, err
}

// follow waits for another call's answer. There is none when that call failed.
func (x *exchange) follow(ctx context.Context, f *flight) error {
	ctx, cancel := context.WithTimeout(ctx, x.timeLeft(ctx))
	defer cancel()
	select {
	case <-f.done:
	case <-ctx.Done():
		return x.failure(ctx, stopped(ctx))
	}
	if f.reply != nil {
		x.Cache.hit()
		x.reply = free(f.reply)
	}
	return nil
}

// lead gets the answer, stores it, and tells those who wait for it.
func (x *exchange) lead(ctx context.Context, key string, f *flight, next handler) error {
	var got *Response
	defer func() { x.Cache.land(key, f, got) }() // also when a callback panics
	if err := next(ctx); err != nil {
		return err
	}
	got = free(x.reply) // a copy: the reply itself is this call's alone
	if !isComplete(got) {
		return nil
	}
	return x.block(ctx, func(context.Context) error {
		x.Cache.put(&entry{Key: key, Created: x.now(), Reply: answerOf(x.reply)})
		return nil
	})
}

// isComplete tells an answer that was not cut off or blocked.
func isComplete(r *Response) bool { return r.StopReason == StopEnd || r.StopReason == StopTools }

// free is an answer that costs nothing this time.
func free(r *Response) *Response {
	own := *r
	own.Usage, own.Attempts = &Usage{}, nil
	return &own
}

func (c *Cache) hit() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stats.Hits++
}

// join makes the caller the one that gets the answer, unless another does
// already.
func (c *Cache) join(key string) (f *flight, mine bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if f = c.flying[key]; f != nil {
		return f, false
	}
	f = &flight{done: make(chan struct{})}
	c.flying[key] = f
	c.stats.Misses++
	return f, true
}

// land ends a flight; one of a nested call was never in the air.
func (c *Cache) land(key string, f *flight, reply *Response) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if f == nil {
		c.stats.Misses++
		return
	}
	f.reply = reply
	close(f.done)
	delete(c.flying, key)
}

// get returns an answer that is not older than ttl, nil if there is none.
func (c *Cache) get(key string, now time.Time, ttl time.Duration) *Response {
	e := c.recall(key)
	if e == nil {
		if e = c.readFile(key); e == nil {
			return nil
		}
		c.remember(e)
	}
	if age := now.Sub(e.Created); age >= ttl {
		return nil // a longer ttl may still want it
	}
	c.hit()
	return free(e.Reply.response())
}

// put keeps an answer. A directory that cannot be written to costs the next
// process the answer, not this one.
func (c *Cache) put(e *entry) {
	c.remember(e)
	_ = c.writeFile(e)
}

func (c *Cache) recall(key string) *entry {
	c.mu.Lock()
	defer c.mu.Unlock()
	at := c.kept[key]
	if at == nil {
		return nil
	}
	c.recent.MoveToFront(at)
	return at.Value.(*entry)
}

// remember keeps an answer in memory, and forgets those not used for longest.
func (c *Cache) remember(e *entry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if at := c.kept[e.Key]; at != nil {
		c.forget(at)
	}
	c.kept[e.Key] = c.recent.PushFront(e)
	for c.bytes += e.size(); c.bytes > maxCached && c.recent.Len() > 1; {
		c.forget(c.recent.Back())
	}
}

func (c *Cache) forget(at *list.Element) {
	e := c.recent.Remove(at).(*entry)
	delete(c.kept, e.Key)
	c.bytes -= e.size()
}

func (e *entry) size() int { return len(e.Key) + e.Reply.size() }
