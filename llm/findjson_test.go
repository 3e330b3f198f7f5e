package llm_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gosema/gosema/llm"
)

func TestFindJSON(t *testing.T) {
	for reply, want := range map[string]string{
		`{"a":1}`:                 `{"a":1}`,
		"  {\"a\": 1e+10}\n":      `{"a": 1e+10}`,
		"```json\n{\"a\":1}\n```": `{"a":1}`,
		"```\n{\"a\":1}\n```":     `{"a":1}`,
		"Sure!\n```json\n{\"a\":1}\n```\nAnything else?": `{"a":1}`,
		"```json\n{\"code\":\"```go\\nx\\n```\"}\n```":   "{\"code\":\"```go\\nx\\n```\"}",
		`{"code":"` + "```" + `"}`:                       `{"code":"` + "```" + `"}`,
		`The answer is {"a":{"b":[1,2]}} as you see.`:    `{"a":{"b":[1,2]}}`,
		`[ {"a":1}`:                     `{"a":1}`,
		`as [1] says {x} and {"a":"}"}`: `{"a":"}"}`,
		`{"a":1} {"b":2}`:               `{"a":1}`,
		"```json\n{\"a\":1}\n```\nor\n```json\n{\"b\":2}\n```": `{"a":1}`,
		"{'a':1}":              "",
		`{"a":1`:               "",
		`[1,2]`:                "",
		"":                     "",
		"none":                 "",
		`{"a":01}`:             "",
		strings.Repeat("{", 5): "",
	} {
		got, ok := llm.FindJSON(reply)
		assert.Equal(t, want != "", ok, reply)
		if ok {
			assert.Equal(t, want, got, reply)
		}
	}
}

func FuzzFindJSON(f *testing.F) {
	for _, s := range []string{`{"a":1}`, "```json\n{\"a\":\"```\"}\n```", `x { [ {"a":1e+10}`, strings.Repeat(`{"a":`, 100)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, reply string) {
		if got, ok := llm.FindJSON(reply); ok {
			require.True(t, json.Valid([]byte(got)))
			require.Contains(t, reply, got)
		}
		if s := strings.TrimSpace(reply); strings.HasPrefix(s, "{") && json.Valid([]byte(s)) {
			got, _ := llm.FindJSON(reply)
			require.Equal(t, s, got, "valid JSON stays as it is")
		}
	})
}

func TestRepairJSON(t *testing.T) {
	for reply, want := range map[string]string{
		`{"a":1}`:                            `{"a":1}`,
		`{'a': 'b'}`:                         `{"a":"b"}`,
		`{"a": 1, "b": [1, 2,],}`:            `{"a":1,"b":[1,2]}`,
		`{a: True, b: None}`:                 `{"a":true,"b":null}`,
		"Here:\n```json\n{'a': 1,}\n```\n":   `{"a":1}`,
		"{\"a\": 1 /* one */}":               `{"a":1}`,
		`the result is {name: "x"} I think`:  `{"name":"x"}`,
		`{"a":"it's {fine}", "n": 1e+10}`:    `{"a":"it's {fine}","n":1e+10}`,
		"no object":                          "",
		`[1, 2,]`:                            "",
		strings.Repeat(`{"a":[`, 10_000):     "",
		strings.Repeat(`{a:[`, 10_000) + "}": "",
	} {
		got, ok := llm.RepairJSON(reply)
		assert.Equal(t, want != "", ok, "%.40s", reply)
		if ok {
			assert.JSONEq(t, want, got, reply)
		}
	}
}

func FuzzRepairJSON(f *testing.F) {
	for _, s := range []string{`{a:1,}`, "```\n{'a':'b'}\n```", `{"a":1}`, `{"a":[{b:`, "{\"a\":\"\\"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, reply string) {
		if got, ok := llm.RepairJSON(reply); ok {
			require.True(t, json.Valid([]byte(got)), got)
		}
		if found, ok := llm.FindJSON(reply); ok {
			got, _ := llm.RepairJSON(reply)
			require.Equal(t, found, got, "valid JSON is not touched")
		}
	})
}
