package main

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"
)

const usageHint = "usage: gosema [flags] [file] [args]; gosema --help shows all flags"

func printHelp(w io.Writer) {
	var b strings.Builder
	b.WriteString("gosema runs programs of the Sema language.\n\n" +
		"  gosema                        start the REPL, or run the program that stdin holds\n" +
		"  gosema [flags] FILE [args]    run a file; - is stdin\n" +
		"  gosema [flags] -e EXPR ...    evaluate expressions\n\nflags:\n")
	for _, f := range flags() {
		short := "    "
		if f.short != "" {
			short = f.short + ", "
		}
		fmt.Fprintf(&b, "  %s%-20s %s\n", short, strings.TrimSpace(f.long+" "+f.value), f.help)
	}
	b.WriteString("\nexit codes: 0, 1 for an error in the program, 2 for a wrong command line,\n" +
		"130 when interrupted, and what (exit n) says.\n")
	_, _ = io.WriteString(w, b.String())
}

// version is that of the module this command was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return "devel"
	}
	return info.Main.Version
}

func printVersion(w io.Writer) {
	fmt.Fprintf(w, "gosema %s (%s %s/%s)\n", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
