package llm

import (
	"encoding/json"
	"strings"

	"github.com/kaptinlin/jsonrepair"
)

// RepairJSON makes valid JSON of an object that a model wrote nearly right:
// with single quotes, trailing commas, comments or Python's words. Text that has
// a valid object in it is not touched: see [FindJSON].
func RepairJSON(reply string) (object string, ok bool) {
	if object, ok := FindJSON(reply); ok {
		return object, true
	}
	for _, text := range append(fenced(reply), reply) {
		from, to := strings.IndexByte(text, '{'), strings.LastIndexByte(text, '}')
		if from < 0 || to < from || to-from > maxRepaired || tooDeep(text[from:to]) {
			continue
		}
		fixed, err := jsonrepair.Repair(text[from : to+1])
		if err == nil && strings.HasPrefix(fixed, "{") && json.Valid([]byte(fixed)) {
			return fixed, true
		}
	}
	return "", false
}

// maxRepaired bounds what is worth a repair, in bytes.
const maxRepaired = 1 << 20

// tooDeep bounds the recursion of the repair, which counts no levels.
func tooDeep(text string) bool {
	const deepest = 500
	return strings.Count(text, "{")+strings.Count(text, "[") > deepest*100 || nesting(text) > deepest
}

func nesting(text string) (most int) {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '{', '[':
			depth++
			most = max(most, depth)
		case '}', ']':
			depth--
		}
	}
	return most
}
