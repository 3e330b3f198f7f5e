package reader

import (
	"strconv"

	"github.com/gosema/gosema/eval/value"
)

// maxHoles bounds the parameters of a short lambda, since %n makes n of them.
const maxHoles = 255

// holes counts the parameters of the short lambda being read. Its parameters
// are renamed as they are read, so the body is walked once.
type holes struct {
	most int
}

// name is what a symbol with % in front stands for: % is %1. It fails for a
// parameter beyond maxHoles.
func (h *holes) name(text string) (name string, ok bool) {
	if text == "%" {
		h.most = max(h.most, 1)
		return "%1", true
	}
	digits := text[1:]
	for i := range len(digits) {
		if !isDigit(digits[i]) {
			return text, true
		}
	}
	if digits[0] == '0' { // a name like any other
		return text, true
	}
	n, err := strconv.Atoi(digits)
	if err != nil || n > maxHoles {
		return "", false
	}
	h.most = max(h.most, n)
	return text, true
}

// shortLambda reads #(+ % %2) as (lambda (%1 %2) (+ %1 %2)). A short lambda
// inside has parameters of its own.
func (r *reader) shortLambda(start value.Pos) (value.Value, error) {
	outer := r.holes
	r.holes = &holes{}
	r.off++
	bodyStart := r.pos()
	r.off++
	body, spans, err := r.lambdaBody(start, bodyStart)
	if err != nil {
		return value.Nil, err
	}
	params := r.params(value.Span{Start: start, End: bodyStart})
	r.holes = outer
	return r.lambdaList(start, params, body, spans), nil
}

// lambdaBody reads the body and returns it with the spans of the # and of itself.
func (r *reader) lambdaBody(start, bodyStart value.Pos) (body value.Value, spans [2]value.Span, err error) {
	for range 2 { // the list (lambda ...) and the body in it count for the depth
		if err := r.push(start, "#(", ")"); err != nil {
			return body, spans, err
		}
	}
	base, err := r.elements()
	if err != nil {
		return body, spans, err
	}
	r.pop()
	r.pop()
	sign := value.Span{Start: start, End: bodyStart}
	span := r.from(bodyStart)
	return r.list(base, span), [2]value.Span{sign, span}, nil
}

// params makes the parameter list, which stands where the # does.
func (r *reader) params(sign value.Span) value.Value {
	base := len(r.elems)
	for i := range r.holes.most {
		r.add(r.named("%"+strconv.Itoa(i+1)), sign)
	}
	return r.list(base, sign)
}

func (r *reader) lambdaList(start value.Pos, params, body value.Value, spans [2]value.Span) value.Value {
	base := len(r.elems)
	r.add(r.named("lambda"), spans[0])
	r.add(params, spans[0])
	r.add(body, spans[1])
	return r.list(base, r.from(start))
}
