// Package openai speaks Chat Completions, the wire format of OpenAI and of
// every server that is compatible with it.
//
// Contract: that of [llm.Provider]. The base URL is all before
// "/chat/completions", with its "/v1" where the server has one; its query is
// kept. Without a key no Authorization header is sent.
package openai
