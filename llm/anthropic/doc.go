// Package anthropic speaks Messages, the wire format of Anthropic.
//
// Contract: that of [llm.Provider]. The base URL is all before "/v1/messages";
// one that ends in "/v1" already is taken as well.
//
// The format demands a limit of the reply, which is Config.DefaultMaxTokens
// when the request has none; it has no messages of the system, which are
// joined to the system prompt; and it wants the turns of one side together, so
// that neighbours are merged.
package anthropic
