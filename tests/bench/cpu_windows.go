package bench

import (
	"syscall"
	"time"
)

// CPUTime is the processor time that this process has used, all threads
// together: unlike the clock it does not count what other processes take.
func CPUTime() time.Duration {
	p, err := syscall.GetCurrentProcess()
	if err != nil {
		panic(err)
	}
	var created, exited, kernel, user syscall.Filetime
	if err := syscall.GetProcessTimes(p, &created, &exited, &kernel, &user); err != nil {
		panic(err)
	}
	return ticks(kernel) + ticks(user)
}

// ticks converts units of 100 ns. (Filetime.Nanoseconds is for dates.)
func ticks(f syscall.Filetime) time.Duration {
	return time.Duration(int64(f.HighDateTime)<<32|int64(f.LowDateTime)) * 100
}
