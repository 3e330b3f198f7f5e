package vm

import (
	"unsafe"

	"github.com/gosema/gosema/eval/value"
)

// Value is the language's datum.
type Value = value.Value

type cell = value.Cell

const (
	closureBits   = value.ClosureBits
	builtinBits   = value.BuiltinBits
	vectorBits    = value.VectorBits
	listTop       = value.ListTop
	listTag       = value.ListBits
	nilBits       = value.NilBits
	falseBits     = value.FalseBits
	undefinedBits = value.UndefinedBits
)

// Op is an opcode.
type Op = uint8

// Ins is one instruction. Register operands are byte offsets into the frame
// (register times 16); a jump's distance, in instructions from the next one, is
// in c. Some instructions are followed by a raw 64-bit word.
type Ins struct {
	op, n   uint8
	a, b, c uint16
}

// MaxRegisters is how many registers the operands can name.
const MaxRegisters = 4000

// MaxArgs is how many arguments a call instruction can pass; longer calls are
// compiled to apply.
const MaxArgs = 240

// NewIns makes an instruction of raw operands.
func NewIns(op Op, n int, a, b, c uint16) Ins { return Ins{op, uint8(n), a, b, c} }

// RawWord is the word that follows some instructions.
func RawWord(w uint64) Ins { return *(*Ins)(unsafe.Pointer(&w)) }

// Reg is register r as an operand.
func Reg(r int) uint16 { return uint16(r * 16) }

// Op returns the opcode.
func (i Ins) Op() Op { return i.op }

// Operands returns the operands as they stand.
func (i Ins) Operands() (n uint8, a, b, c uint16) { return i.n, i.a, i.b, i.c }

// WithOp returns the instruction with another opcode.
func (i Ins) WithOp(op Op) Ins { i.op = op; return i }

// WithJump returns the instruction with another jump distance.
func (i Ins) WithJump(d int16) Ins { i.c = uint16(d); return i }

// Jump is the instruction's jump distance.
func (i Ins) Jump() int { return int(int16(i.c)) }

// ZeroTest, as n of a JEQI, says that it stands for zero?, which wants a number;
// = compares anything.
const ZeroTest = zeroTest

const zeroTest = 1

// IsCompareJump is true of the forward compare-and-jump instructions.
func IsCompareJump(op Op) bool { return op >= opcodeJLT && op <= opcodeJNEQQ }

// LoopForm is the backward form of a forward compare-and-jump; Negate flips
// the condition of either.
func LoopForm(op Op) Op { return op - opcodeJLT + opcodeLLT }
func Negate(op Op) Op   { return op ^ 1 }

// hasRaw reports whether a raw word follows the instruction.
func hasRaw(op Op) bool {
	switch op {
	case opcodeLOADX, opcodeLOADF, opcodeGETGW, opcodeSETGW, opcodeDEFGW, opcodeJMPW, opcodeCALLG, opcodeCALL,
		opcodeTCALL, opcodeTCALLG, opcodeSTUBRET:
		return true
	}
	return false
}

// isCall reports whether the raw word is a prediction.
func isCall(op Op) bool {
	return op == opcodeCALLG || op == opcodeCALL || op == opcodeTCALL || op == opcodeTCALLG
}
