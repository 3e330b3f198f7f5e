package gosema_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/gosema/gosema"
)

func Example() {
	in, err := gosema.New(gosema.Config{})
	if err != nil {
		panic(err)
	}
	v, err := in.Eval(context.Background(), `(map (fn (x) (* x x)) '(1 2 3))`)
	fmt.Println(v, err)
	// Output: (1 4 9) <nil>
}

func ExampleInterp_Call() {
	in, _ := gosema.New(gosema.Config{})
	ctx := context.Background()
	if _, err := in.Eval(ctx, `(define (greet name times) (string/repeat f"Hi ${name}! " times))`); err != nil {
		panic(err)
	}
	v, err := in.Call(ctx, "greet", "Ada", 2)
	fmt.Println(v, err)
	// Output: "Hi Ada! Hi Ada! " <nil>
}

// A program calls a Go function and a model. The model is a fake transport, which
// is also the way to test programs without a network.
func ExampleInterp_Register() {
	model := fakeTransport(func(r *http.Request) (*http.Response, error) {
		body := `{"model": "m", "choices": [{"message": {"role": "assistant", "content": "It is warm."}, "finish_reason": "stop"}]}`
		return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"application/json"}},
			Body: io.NopCloser(strings.NewReader(body)), Request: r}, nil
	})
	in, _ := gosema.New(gosema.Config{HTTPClient: &http.Client{Transport: model}})
	err := in.Register("temperature", func(city string) (float64, error) {
		if city != "Oslo" {
			return 0, fmt.Errorf("no thermometer in %s", city)
		}
		return 21.5, nil
	})
	if err != nil {
		panic(err)
	}
	v, err := in.Eval(context.Background(), `
		(llm/configure :fake {:base-url "http://model.invalid/v1" :api-key "k" :default-model "m"})
		(define degrees (temperature "Oslo"))
		(list degrees (llm/complete f"How is ${degrees} degrees?"))`)
	fmt.Println(v, err)
	// Output: (21.5 "It is warm.") <nil>
}
