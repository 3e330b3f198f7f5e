package llm_test

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/gosema/gosema/llm"
	"github.com/gosema/gosema/llm/anthropic"
	"github.com/gosema/gosema/llm/llmtest"
	"github.com/gosema/gosema/llm/openai"
)

// A chain of two providers, with a classifier, a rate limit and a deadline,
// against a server that fails on order.
func ExampleCall_Complete() {
	server, _ := llmtest.NewServer(
		llmtest.Reply{Status: 409, Text: "busy"}, // this gateway's way to say "later"
		llmtest.Reply{Status: 401, Text: "who are you"},
		llmtest.Reply{Text: "hello"},
	)
	defer server.Close()

	first, _ := anthropic.New(anthropic.Config{Endpoint: llm.Endpoint{BaseURL: server.URL, DefaultModel: "model-a"}})
	second, _ := openai.New(openai.Config{Endpoint: llm.Endpoint{BaseURL: server.URL, DefaultModel: "model-b", Client: &http.Client{}}})
	limit, _ := llm.NewLimiter(llm.RateLimit{RPS: 1000})
	policy := llm.DefaultPolicy()
	policy.OnError = func(f llm.Failure) (llm.Verdict, error) {
		if f.Retryable || f.Status == 409 {
			return llm.Retry, nil
		}
		return llm.Fail, nil
	}
	clock := llmtest.NewClock() // nil in a program
	call := llm.Call{
		Env: llm.Env{
			Clock: clock,
			Block: func(ctx context.Context, f func(context.Context) error) error {
				// An interpreter releases its lock here, and takes it again after f.
				return f(ctx)
			},
		},
		Chain:    []llm.Entry{{Provider: first}, {Provider: second, Model: "model-c"}},
		Policy:   policy,
		Limits:   []*llm.Limiter{limit},
		Deadline: clock.Now().Add(time.Minute),
	}
	reply, err := call.Complete(context.Background(), &llm.Request{Messages: []llm.Message{llm.User("hi")}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(reply.Text)
	for _, a := range reply.Attempts {
		fmt.Println(a.Provider, a.Model, a.Status, a.Kind)
	}
	// Output:
	// hello
	// anthropic model-a 409 bad-request
	// anthropic model-a 401 auth
	// openai model-c 200
}
