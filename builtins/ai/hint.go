package ai

import (
	"github.com/gosema/gosema/llm"
)

// hintFor says what to do about a failure that a program or its user can do
// something about.
func hintFor(e *llm.Error) string {
	switch e.Kind {
	case llm.KindAuth:
		if e.Status != 0 {
			return keyHint(e.Provider)
		}
	case llm.KindQuota:
		return "the account of the key has nothing left: retries cannot help; (llm/with-fallback [:" + orThis(e.Provider) + " :another] thunk) asks another provider"
	case llm.KindNotFound:
		return "check the model's name: " + quoted(e.Model) + " was asked for; :model sets it, and (llm/configure :" + orThis(e.Provider) + " {:default-model \"...\"}) the default"
	case llm.KindContextLength:
		return "send less, or ask a model with a longer context"
	case llm.KindRateLimit:
		return "(llm/with-rate-limit rps thunk) keeps calls under the limit; {:retries n} waits longer"
	case llm.KindTimeout:
		return "{:timeout ms} bounds one attempt, {:deadline-ms ms} the whole call"
	case llm.KindBudget:
		return "(llm/budget-remaining) tells what is left; llm/with-budget and llm/set-budget set the cap"
	}
	return ""
}

// keyHint says where a provider's key comes from.
func keyHint(provider string) string {
	hint := "the key was refused: "
	if k := knownProvider(provider); k.env != "" {
		hint += "check the variable " + k.env + ", or "
	}
	return hint + "call (llm/configure :" + orThis(provider) + " {:api-key ...})"
}

func orThis(provider string) string {
	if provider == "" {
		return "name"
	}
	return provider
}

func quoted(model string) string {
	if model == "" {
		return "none"
	}
	return "\"" + model + "\""
}
