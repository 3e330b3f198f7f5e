package llm

import "fmt"

// OptionError is a setting that was refused before the first request.
type OptionError struct {
	Option string // the documented name, such as "retries" or "retry-base-ms"
	Want   string
	Got    any
}

// Error names the option in the way the language's documents write it.
func (e *OptionError) Error() string {
	return fmt.Sprintf(":%s must be %s, got %v", e.Option, e.Want, e.Got)
}
