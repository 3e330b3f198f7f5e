// Package interop holds gosema's wire formats against software that others wrote
// for them: the providers' own Go SDKs, a mock server from npm, and a decoder of
// server-sent events. It is a module of its own so that none of these becomes a
// dependency of gosema, and it has tests only.
package interop
