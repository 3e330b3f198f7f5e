package main

import (
	"strings"

	"github.com/gosema/gosema/eval"
)

// strictCaps are what --sandbox strict denies: all that changes the world or
// speaks to it. Reading files and the environment stays allowed.
const strictCaps = eval.CapShell | eval.CapFSWrite | eval.CapNetwork | eval.CapEnvWrite | eval.CapProcess | eval.CapLLM

// parseSandbox returns the capabilities that a mode denies: none, strict, all, or
// a list such as "no-shell,no-network".
func parseSandbox(mode string) (eval.Caps, error) {
	switch mode {
	case "none":
		return 0, nil
	case "strict":
		return strictCaps, nil
	case "all":
		return eval.CapAll, nil
	}
	var denied eval.Caps
	for part := range strings.SplitSeq(mode, ",") {
		name := strings.TrimPrefix(strings.TrimSpace(part), "no-")
		if name == "serial" { // the reference has serial ports; there are none here to deny
			continue
		}
		c, err := eval.ParseCap(name)
		if err != nil {
			return 0, err
		}
		denied |= c
	}
	return denied, nil
}
