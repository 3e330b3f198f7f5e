package core

import (
	"crypto/hmac"
	"crypto/md5"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"strings"
	"unicode/utf8"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func encodingBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "base64/encode", Arity: eval.Exactly(1), Fn: base64Encode,
			Doc: "(base64/encode text) is the text's bytes in base64.", Example: `(base64/encode "hello") ; => "aGVsbG8="`},
		{Name: "base64/decode", Arity: eval.Exactly(1), Fn: base64Decode,
			Doc: "(base64/decode text) is the text that base64 stands for.", Example: `(base64/decode "aGVsbG8=") ; => "hello"`},
		{Name: "base64/encode-bytes", Arity: eval.Exactly(1), Fn: base64EncodeBytes,
			Doc: "(base64/encode-bytes bytes) is a bytevector in base64.", Example: `(base64/encode-bytes #u8(1 2)) ; => "AQI="`},
		{Name: "base64/decode-bytes", Arity: eval.Exactly(1), Fn: base64DecodeBytes,
			Doc: "(base64/decode-bytes text) is the bytevector that base64 stands for.", Example: `(base64/decode-bytes "AQI=") ; => #u8(1 2)`},
		{Name: "hash/md5", Arity: eval.Exactly(1), Fn: hashed(func(b []byte) []byte { h := md5.Sum(b); return h[:] }),
			Doc: "(hash/md5 text) is the MD5 of a text or a bytevector in hex. It is no protection against forgery.", Example: `(hash/md5 "abc") ; => "900150983cd24fb0d6963f7d28e17f72"`},
		{Name: "hash/sha256", Aliases: []string{"hash/digest"}, Arity: eval.Exactly(1), Fn: hashed(func(b []byte) []byte { h := sha256.Sum256(b); return h[:] }),
			Doc: "(hash/sha256 text) is the SHA-256 of a text or a bytevector in hex.", Example: `(string-length (hash/sha256 "abc")) ; => 64`},
		{Name: "hash/hmac-sha256", Arity: eval.Exactly(2), Fn: hashHMAC,
			Doc: "(hash/hmac-sha256 key text) is the HMAC with SHA-256 in hex; both may be bytevectors.", Example: `(string-length (hash/hmac-sha256 "key" "msg")) ; => 64`},
	}
}

// octetsOf returns the bytes of a string or a bytevector.
func octetsOf(a *eval.Args, i int) []byte {
	v := a.Value(i)
	if s, ok := v.AsString(); ok {
		return []byte(s)
	}
	b, ok := v.AsBytes()
	if !ok {
		a.Bad(i, "a string or a bytevector")
	}
	return b
}

func hashed(sum func([]byte) []byte) builtinFunc {
	return func(t *eval.Thread, args []Value) (Value, error) {
		a := eval.ArgsOf(args)
		b := octetsOf(&a, 0)
		if err := a.Err(); err != nil {
			return value.Nil, err
		}
		return value.String(hex.EncodeToString(sum(b))), t.Tick(len(b) / 64)
	}
}

func hashHMAC(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	key, text := octetsOf(&a, 0), octetsOf(&a, 1)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	h := hmac.New(sha256.New, key)
	h.Write(text)
	return value.String(hex.EncodeToString(h.Sum(nil))), t.Tick(len(text) / 64)
}

func base64Encode(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	text := a.String(0)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	return encode64(t, []byte(text))
}

func base64EncodeBytes(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	b := a.Bytes(0)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	return encode64(t, b)
}

func encode64(t *eval.Thread, b []byte) (Value, error) {
	if err := reserve(t, int64(len(b)), 2); err != nil {
		return value.Nil, err
	}
	return value.String(base64.StdEncoding.EncodeToString(b)), nil
}

func base64Decode(t *eval.Thread, args []Value) (Value, error) {
	b, err := decode64(t, args)
	if err != nil {
		return value.Nil, err
	}
	if !utf8.Valid(b) {
		e := eval.Errorf(eval.KindEval, "the decoded bytes are no text in UTF-8")
		e.Hint = "base64/decode-bytes gives them as a bytevector"
		return value.Nil, e
	}
	return value.String(string(b)), nil
}

func base64DecodeBytes(t *eval.Thread, args []Value) (Value, error) {
	b, err := decode64(t, args)
	if err != nil {
		return value.Nil, err
	}
	return value.Bytes(b), nil
}

const alphabet64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=\r\n"

func decode64(t *eval.Thread, args []Value) ([]byte, error) {
	a := eval.ArgsOf(args)
	text := a.String(0)
	if err := a.Err(); err != nil {
		return nil, err
	}
	if err := reserve(t, int64(len(text)), 1); err != nil {
		return nil, err
	}
	b, err := base64.StdEncoding.Strict().DecodeString(text)
	if err == nil {
		return b, nil
	}
	if at := strings.IndexFunc(text, func(r rune) bool { return !strings.ContainsRune(alphabet64, r) }); at >= 0 {
		r, _ := utf8.DecodeRuneInString(text[at:])
		return nil, eval.Errorf(eval.KindEval, "no base64: %q at byte %d is none of its characters", r, at)
	}
	return nil, eval.Errorf(eval.KindEval, "no base64: its length or its padding is wrong, or bits are left over at its end")
}
