package anthropic

import (
	"regexp"

	"github.com/gosema/gosema/llm"
	"github.com/gosema/gosema/llm/internal/wire"
)

// addThinking asks for an effort: newer models take it by name, older ones as a
// budget of tokens.
func addThinking(w *wire.Writer, req *llm.Request, budget int) {
	switch {
	case req.ReasoningEffort == "" || req.ReasoningEffort == "none":
	case budget > 0:
		w.Name("thinking").Open('{')
		w.Name("type").String("enabled")
		w.Name("budget_tokens").Int(budget)
		w.Close('}')
	case !takesBudget(req.Model):
		w.Name("output_config").Open('{')
		w.Name("effort").String(effortName(req.ReasoningEffort))
		w.Close('}')
	}
}

// effortName is the server's word for an effort.
func effortName(effort string) string {
	switch effort {
	case "minimal":
		return "low"
	case "xhigh":
		return "max"
	}
	return effort
}

// thinkingBudget is how many tokens an older model may think for; 0 is not at
// all. A conversation with tool calls goes without: the server would want the
// thoughts before them back, which are not kept.
func thinkingBudget(req *llm.Request) int {
	if req.ReasoningEffort == "" || !takesBudget(req.Model) {
		return 0
	}
	for _, m := range req.Messages {
		if m.HasCalls() {
			return 0
		}
	}
	switch req.ReasoningEffort {
	case "none":
		return 0
	case "minimal":
		return 1024
	case "low":
		return 2048
	case "high":
		return 16384
	case "xhigh":
		return 32768
	}
	return 8192
}

// takesBudget tells the models up to version 4.5 by their names, such as
// "claude-3-7-sonnet-latest" and "claude-sonnet-4-5-20250929".
func takesBudget(model string) bool { return olderModel.MatchString(model) }

var olderModel = regexp.MustCompile(`claude-3-7-|claude-(opus|sonnet|haiku)-4(-[0-5]|-\d{8})?(-\d{8})?(@|$)`)
