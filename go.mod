module github.com/gosema/gosema

go 1.26.0

require (
	github.com/BurntSushi/toml v1.6.0
	github.com/andybalholm/cascadia v1.3.5
	github.com/chzyer/readline v1.5.1
	github.com/kaptinlin/jsonrepair v0.2.15
	github.com/ncruces/go-strftime v1.1.0
	github.com/stretchr/testify v1.12.1
	github.com/yuin/goldmark v1.8.7
	golang.org/x/net v0.62.0
	golang.org/x/term v0.48.0
	golang.org/x/text v0.43.0
	golang.org/x/time v0.16.0
	golang.org/x/tools v0.52.0
)

require (
	github.com/go-json-experiment/json v0.0.0-20251027170946-4849db3c2f7e // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/sys v0.50.0 // indirect
)
