package core

import "strings"

// rewrittenSelector says what the library does not know in words that it does:
// :is(a) and :where(a) are :not(:not(a)), and :has(> a) is :haschild(a).
func rewrittenSelector(text string) string {
	var b strings.Builder
	var closers []string // what stands for the closing brackets to come
	for text != "" {
		n, written := 1, text[:1]
		switch {
		case text[0] == '\\':
			n = min(2, len(text))
			written = text[:n]
		case text[0] == '"' || text[0] == '\'':
			n = quotedLength(text)
			written = text[:n]
		case text[0] == '(':
			closers = append(closers, ")")
		case text[0] == ')' && len(closers) > 0:
			written = closers[len(closers)-1]
			closers = closers[:len(closers)-1]
		case hasPrefixFold(text, ":is("), hasPrefixFold(text, ":where("):
			n, written = strings.IndexByte(text, '(')+1, ":not(:not("
			closers = append(closers, "))")
		case hasPrefixFold(text, ":has("):
			if skip := childOnly(text[len(":has("):]); skip > 0 {
				n, written = len(":has(")+skip, ":haschild("
				closers = append(closers, ")")
			}
		}
		b.WriteString(written)
		text = text[n:]
	}
	return b.String()
}

func hasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

// childOnly is the length of the > that s begins with, if all that follows to the
// next bracket is about one element.
func childOnly(s string) int {
	inside, _, found := strings.Cut(s, ")")
	element, isChild := strings.CutPrefix(strings.TrimSpace(inside), ">")
	element = strings.TrimSpace(element)
	if !found || !isChild || element == "" || strings.ContainsAny(element, " \t\r\n\f>+~,(\"'") {
		return 0
	}
	return strings.IndexByte(inside, '>') + 1
}
