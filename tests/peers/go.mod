module github.com/gosema/gosema/tests/peers

go 1.26.0

replace github.com/gosema/gosema => ../..

require (
	github.com/d5/tengo/v2 v2.17.0
	github.com/dop251/goja v0.0.0-20260917113740-793a2a65c13b
	github.com/gosema/gosema v0.0.0-00010101000000-000000000000
	github.com/yuin/gopher-lua v1.1.2
	go.starlark.net v0.0.0-20260908191801-89a6a09411d5
)

require (
	github.com/BurntSushi/toml v1.6.0 // indirect
	github.com/andybalholm/cascadia v1.3.5 // indirect
	github.com/dlclark/regexp2/v2 v2.5.2 // indirect
	github.com/go-json-experiment/json v0.0.0-20251027170946-4849db3c2f7e // indirect
	github.com/go-sourcemap/sourcemap v2.1.3+incompatible // indirect
	github.com/google/pprof v0.0.0-20230207041349-798e818bf904 // indirect
	github.com/kaptinlin/jsonrepair v0.2.15 // indirect
	github.com/ncruces/go-strftime v1.1.0 // indirect
	github.com/yuin/goldmark v1.8.7 // indirect
	golang.org/x/net v0.62.0 // indirect
	golang.org/x/sys v0.50.0 // indirect
	golang.org/x/term v0.48.0 // indirect
	golang.org/x/text v0.43.0 // indirect
	golang.org/x/time v0.16.0 // indirect
)
