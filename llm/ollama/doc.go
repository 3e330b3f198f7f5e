// Package ollama speaks the chat format of Ollama's own API, which streams as
// lines of JSON.
//
// Contract: that of [llm.Provider]. The base URL is all before "/api". Models run
// on the machine of the server, so there is usually no key.
package ollama
