package ai_test

import (
	"net/netip"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gosema/gosema/builtins/ai"
	"github.com/gosema/gosema/llm/llmtest"
)

func TestIsPublic(t *testing.T) {
	for _, public := range []string{"1.1.1.1", "8.8.8.8", "2606:4700::1111", "172.32.0.1", "64:ff9b::808:808", "2002:808:808::1"} {
		assert.True(t, ai.IsPublic(netip.MustParseAddr(public)), public)
	}
	for _, private := range []string{"127.0.0.1", "127.9.9.9", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "255.255.255.255",
		"224.0.0.1", "::1", "::", "fe80::1", "fd00::1", "ff02::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::"} {
		assert.False(t, ai.IsPublic(netip.MustParseAddr(private)), private)
	}
}

// TestSandboxKeepsToPublicAddresses: a name that leads to this machine is found
// out when it is dialled.
func TestSandboxKeepsToPublicAddresses(t *testing.T) {
	r := newRig(t, func(c *ai.Config) { c.HTTPClient, c.PublicOnly = nil, true })
	s := r.server("a", ":retries 0", llmtest.Script{Replies: []llmtest.Reply{text("reached")}})
	for _, host := range []string{"http://localhost", "http://127.0.0.1", "http://[::1]", "http://0.0.0.0"} {
		at := host + s.URL[len("http://127.0.0.1"):]
		r.checks(`
			(begin (llm/configure :a {:base-url "` + at + `" :default-model "m" :retries 0}) (llm/complete "x")) ; !! not allowed in a sandbox
			(client/run (client/create-client {:base-url "` + at + `" :model "m"}) "x") ; !! not allowed in a sandbox
		`)
	}
	assert.Empty(t, s.Requests())
}
