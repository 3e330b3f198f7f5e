package value

import (
	"encoding"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// Conversions between Go data and values: [From] makes a value of anything,
// [ToGo] plain Go data of a value, and [Into] fills what a pointer leads to.
//
//	Go                                  value
//	nil, a nil pointer                  nil
//	bool                                #t, #f
//	integers (a rune too), *big.Int     integer of any size
//	floats, *big.Float                  float
//	*big.Rat                            integer or ratio
//	complex64, complex128               complex number of two floats
//	json.Number                         integer with all its digits, or float
//	time.Duration                       milliseconds: an integer if whole, else a float
//	string                              string
//	encoding.TextMarshaler (time.Time)  string
//	error                               its text, a string
//	[]byte, [n]byte                     bytevector
//	slice, array (nil too)              list
//	map with string keys                sorted map with keyword keys
//	other map                           sorted map by converted keys
//	struct                              sorted map with keyword keys, by field
//	pointer, interface                  what it leads to
//	Value                               itself
//
// A field is called what its tag `sema:"name"` says, else what its tag
// `json:"name"` says, else its name in kebab-case: UserID is :user-id. A tag "-"
// hides the field, and the option omitempty leaves it out while it has the zero
// value of its type or is empty. The fields of an embedded struct without a tag
// count as the outer struct's own.

// ConvertError says what could not be converted, and where in the data.
type ConvertError struct {
	Path   string // such as servers[2].port; "" for the whole
	Reason string
}

func (e *ConvertError) Error() string {
	if e.Path == "" {
		return e.Reason
	}
	return "at " + e.Path + ": " + e.Reason
}

// trail is the way from the whole to the part that a conversion is at, and
// what it knows about the struct types it met.
type trail struct {
	steps   []step
	structs map[reflect.Type]*structInfo
}

type step struct {
	name  string // of a field or a key; "" for an element
	index int    // of an element; -1 for what a pointer leads to
}

const maxPath = 200 // bytes, in an error

// errorf makes an error at the current place.
func (t *trail) errorf(format string, args ...any) error {
	var path strings.Builder
	for _, s := range t.steps {
		switch {
		case s.index < 0:
		case s.name == "":
			path.WriteString("[" + strconv.Itoa(s.index) + "]")
		case path.Len() > 0:
			path.WriteString("." + s.name)
		default:
			path.WriteString(s.name)
		}
		if path.Len() > maxPath { // deep data, or a cycle
			path.WriteString("...")
			break
		}
	}
	return &ConvertError{path.String(), fmt.Sprintf(format, args...)}
}

// enter goes one step further; the caller leaves again.
func (t *trail) enter(name string, index int) error {
	if len(t.steps) >= MaxDepth {
		return t.errorf("nested more than %d deep, or a cycle", MaxDepth)
	}
	t.steps = append(t.steps, step{name, index})
	return nil
}

func (t *trail) leave() { t.steps = t.steps[:len(t.steps)-1] }

// recoverLimits turns the panics that refuse data into an error.
func recoverLimits(err *error) {
	switch e := recover().(type) {
	case nil:
	case *LimitError:
		*err = e
	case *DepthError:
		*err = e
	default:
		panic(e)
	}
}

var (
	valueType       = reflect.TypeFor[Value]()
	durationType    = reflect.TypeFor[time.Duration]()
	textMarshalType = reflect.TypeFor[encoding.TextMarshaler]()
)

// structInfo lists the fields of a struct type that conversions see.
type structInfo struct {
	fields []fieldInfo
	shape  *Shape // of maps with all fields
}

type fieldInfo struct {
	name      string
	key       Value
	index     []int // as reflect.Value.FieldByIndex takes it
	omitEmpty bool
}

func (t *trail) structInfo(typ reflect.Type) *structInfo {
	if info := t.structs[typ]; info != nil {
		return info
	}
	info := &structInfo{}
	info.add(typ, nil, nil)
	keys := make([]Value, len(info.fields))
	for i, f := range info.fields {
		keys[i] = f.key
	}
	info.shape = NewShape(keys)
	if t.structs == nil {
		t.structs = map[reflect.Type]*structInfo{}
	}
	t.structs[typ] = info
	return info
}

// add appends the fields of typ, which is embedded at index in outer types; the
// outermost field of a name wins.
func (s *structInfo) add(typ reflect.Type, index []int, outer []reflect.Type) {
	var embedded []reflect.StructField
	for i := range typ.NumField() {
		f := typ.Field(i)
		name, omitEmpty := fieldTag(f)
		switch {
		case name == "-":
		case f.Anonymous && name == "" && isPlainStruct(f.Type):
			embedded = append(embedded, f)
		case f.IsExported():
			if name == "" {
				name = kebab(f.Name)
			}
			s.addField(fieldInfo{name, Keyword(name), within(index, i), omitEmpty})
		}
	}
	for _, f := range embedded {
		inner := f.Type
		if inner.Kind() == reflect.Pointer {
			inner = inner.Elem()
		}
		if !contains(outer, inner) && inner != typ {
			s.add(inner, within(index, f.Index[0]), append(outer, typ))
		}
	}
}

func (s *structInfo) addField(f fieldInfo) {
	for _, g := range s.fields {
		if g.name == f.name {
			return
		}
	}
	s.fields = append(s.fields, f)
}

func within(index []int, i int) []int { return append(append([]int(nil), index...), i) }

func contains(types []reflect.Type, t reflect.Type) bool {
	for _, u := range types {
		if u == t {
			return true
		}
	}
	return false
}

// isPlainStruct is true of structs, and pointers to some, that are converted
// field by field.
func isPlainStruct(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.Kind() == reflect.Struct && t != valueType && !reflect.PointerTo(t).Implements(textMarshalType)
}

// fieldTag returns the name that a field's tag gives it, "" if none does.
func fieldTag(f reflect.StructField) (name string, omitEmpty bool) {
	tag, ok := f.Tag.Lookup("sema")
	if !ok {
		tag = f.Tag.Get("json")
	}
	if tag == "-" {
		return "-", false
	}
	name, options, _ := strings.Cut(tag, ",")
	for _, o := range strings.Split(options, ",") {
		omitEmpty = omitEmpty || o == "omitempty" || o == "omitzero"
	}
	return name, omitEmpty
}

// kebab writes a Go name the Lisp way: UserID is user-id, HTTPServer is
// http-server.
func kebab(name string) string {
	var out strings.Builder
	rs := []rune(name)
	for i, r := range rs {
		if r == '_' {
			out.WriteByte('-')
			continue
		}
		if unicode.IsUpper(r) && i > 0 && rs[i-1] != '_' {
			startsWord := i+1 < len(rs) && unicode.IsLower(rs[i+1])
			if !unicode.IsUpper(rs[i-1]) || startsWord {
				out.WriteByte('-')
			}
		}
		out.WriteRune(unicode.ToLower(r))
	}
	return out.String()
}

// keyName is the name that a map's key has in Go: the text of a keyword, a
// symbol or a string.
func keyName(k Value) (string, bool) {
	switch k.Kind() {
	case KindKeyword, KindSymbol:
		return k.name().text, true
	case KindString:
		return k.text(), true
	}
	return "", false
}

// excerpt shows a value in an error.
func excerpt(v Value) string {
	const most = 60
	if v.IsString() && v.Len() > most {
		v = v.Substring(0, most)
	}
	s := []rune(Excerpt(v, 4*most))
	if len(s) <= most {
		return string(s)
	}
	return string(s[:most-3]) + "..."
}
