package reader

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// program is about a megabyte of code with many different names.
func program() string {
	var b strings.Builder
	for i := 0; b.Len() < 1<<20; i++ {
		fmt.Fprintf(&b, `
;; Handler %[1]d answers one kind of request.
(define (handle-%[1]d request options)
  (let* ((name (get request :name "unknown"))
         (limit (or (:limit options) 100))
         (items (filter #(> (:size %%) limit) (:items request))))
    (cond
      ((null? items) {:status 404 :body f"nothing for ${name}"})
      ((> (length items) 10) '(error "too many items\n" too-many))
      (else (map (lambda (x) [x (* 1.5 (string-length name))]) items)))))
`, i)
	}
	return b.String()
}

func BenchmarkRead(b *testing.B) {
	text := program()
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		_, err := ReadAll(source(text))
		require.NoError(b, err)
	}
}

func BenchmarkReadData(b *testing.B) {
	text := "[" + strings.Repeat(`{:id 12345 :name "some name" :score 0.25 :tags ["a" "b"]} `, 1<<20/60) + "]"
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		_, err := ReadAll(source(text))
		require.NoError(b, err)
	}
}

func BenchmarkReadLine(b *testing.B) {
	text := `(define (square x) (* x x))`
	b.ReportAllocs()
	for b.Loop() {
		_, err := ReadAll(source(text))
		require.NoError(b, err)
	}
}
