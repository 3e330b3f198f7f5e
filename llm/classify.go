package llm

import (
	"net/url"
	"strings"
)

// Classify maps a failed response to its kind, and says whether the same
// request may succeed when it is sent again: at 429 and at every 5xx, unless
// the quota is spent. Message is the provider's text, codes are its code and
// its error type, as far as it gave them.
func Classify(status int, message string, codes ...string) (kind Kind, retryable bool) {
	kind = classOfCodes(status, codes)
	if kind == "" {
		kind = classOfMessage(status, strings.ToLower(message))
	}
	if kind == "" {
		kind = classOfStatus(status)
	}
	return kind, kind != KindQuota && (status == 429 || status >= 500)
}

// classOfCodes takes a code's word for a spent quota under every status, and
// for the rest where the status says no more than that the request was bad.
func classOfCodes(status int, codes []string) Kind {
	for _, code := range codes {
		kind := classOfCode(strings.ToLower(code))
		transient := status == 429 || status >= 500
		if kind == KindQuota || kind == KindOverloaded || kind != "" && !transient {
			return kind
		}
	}
	return ""
}

func classOfMessage(status int, message string) Kind {
	if status == 429 && containsAny(message, spent[:]) {
		return KindQuota
	}
	if status < 400 || status >= 500 || status == 429 {
		return ""
	}
	for _, class := range [...]struct {
		kind    Kind
		phrases []string
	}{{KindContextLength, tooLong[:]}, {KindQuota, spent[:]}, {KindContentFilter, filtered[:]}, {KindAuth, badKey[:]}, {KindNotFound, unknownModel[:]}} {
		if containsAny(message, class.phrases) {
			return class.kind
		}
	}
	return ""
}

func classOfCode(code string) Kind {
	switch code {
	case "insufficient_quota", "billing_hard_limit_reached", "billing_not_active",
		"insufficient_balance", "billing_error", "access_terminated",
		"exceeded_current_quota_error": // Moonshot
		return KindQuota
	case "context_length_exceeded", "exceed_context_size_error", "string_above_max_length":
		return KindContextLength
	case "content_filter", "content_policy_violation", "responsibleaipolicyviolation", "moderation_blocked", "prohibited_content":
		return KindContentFilter
	case "invalid_api_key", "authentication_error", "permission_error", "permission_denied":
		return KindAuth
	case "model_not_found", "not_found_error", "model_not_supported", "invalid_model", "model_decommissioned":
		return KindNotFound
	case "overloaded_error":
		return KindOverloaded
	}
	return ""
}

func classOfStatus(status int) Kind {
	switch status {
	case 401, 403:
		return KindAuth
	case 402:
		return KindQuota
	case 404:
		return KindNotFound
	case 408:
		return KindTimeout
	case 429:
		return KindRateLimit
	case 529:
		return KindOverloaded
	}
	if status >= 500 {
		return KindServer
	}
	return KindBadRequest
}

// tooLong has the phrasings of "the prompt does not fit", which few providers
// give a code of its own. All lower case.
var tooLong = [...]string{
	"prompt is too long",                   // Anthropic
	"prompt too long",                      // Ollama
	"exceed context limit",                 // Anthropic, with max_tokens
	"maximum context length",               // OpenAI, vLLM, Mistral, OpenRouter, DeepSeek
	"context_length_exceeded",              // compatible servers that have no code
	"context length exceeded",              //
	"exceeds the context",                  // OpenAI ("context window"), Copilot
	"context window",                       // MiniMax, Kimi
	"available context size",               // llama.cpp
	"greater than the context length",      // LM Studio
	"maximum prompt length",                // xAI
	"exceeds the maximum number of tokens", // Gemini
	"reduce the length of the",             // Groq, OpenAI
	"input is too long",                    // Bedrock
	"input too long",                       //
	"too long to fit into the model",       // vLLM
	"must be less than max_seq_len",        // SiliconFlow
	"total number of tokens in the prompt", // Cohere
	"prompt token count",                   // Copilot
	"exceeded model token limit",           // Moonshot
	"maximum model length",                 // vLLM
	"`inputs` tokens + `max_new_tokens`",   // Together, TGI
	"`inputs` must have less than",         // TGI
	"with context length of only",          // LM Studio
	"too many tokens",                      // Cohere
	"reduce your message size",             // Groq, of one request beyond the minute's tokens
}

// spent has the phrasings of "no money left" that come without a code.
var spent = [...]string{
	"credit balance is too low", // Anthropic
	"reached your specified api usage limits",
	"insufficient balance", // DeepSeek
	"insufficient credits", // OpenRouter
	"requires more credits",
	"doesn't have any credits", // xAI
	"used all available credits",
	"credits are depleted",  // Gemini, prepaid
	"credit limit exceeded", // Together
	"spending limit",
}

// filtered has the phrasings of a filter that refused, without a code.
var filtered = [...]string{
	"content management policy",  // Azure
	"content filtering policy",   // Anthropic
	"safety system",              // OpenAI
	"violating our usage policy", // OpenAI, of prompts to thinking models
	"your input was flagged",     // OpenRouter
	"flagged by moderation",      // OpenRouter
}

// badKey has the phrasings of a refused key under status 400.
var badKey = [...]string{
	"api key not valid", // Gemini
	"api key expired",
	"incorrect api key", // xAI
	"invalid api key",
}

// unknownModel has the phrasings of a model that is not there, under another
// status than 404.
var unknownModel = [...]string{
	"not a valid model id", // OpenRouter
	"model not exist",      // DeepSeek
	"invalid model",        // Mistral, Perplexity
	"unknown model",
	"model has been decommissioned", // Groq
}

func containsAny(s string, phrases []string) bool {
	for _, p := range phrases {
		if strings.Contains(s, p) {
			return true
		}
	}
	return false
}

// origin returns scheme and host of a URL, which is all that errors show of it.
func origin(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" {
		return "an invalid URL"
	}
	return u.Scheme + "://" + u.Host
}
