//go:build unix

package bench

import (
	"syscall"
	"time"
)

// CPUTime is the processor time that this process has used, all threads
// together: unlike the clock it does not count what other processes take.
func CPUTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
