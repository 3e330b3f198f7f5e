// Package gemini speaks generateContent, the wire format of Google's Gemini.
//
// Contract: that of [llm.Provider]. The base URL is all before "/models". The
// signatures of thoughts, which only this provider could read, are not kept.
package gemini
