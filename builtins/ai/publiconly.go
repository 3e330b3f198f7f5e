package ai

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"syscall"
	"time"
)

// errPrivate is the error of a connection that a sandboxed program may not make.
var errPrivate = errors.New("not allowed in a sandbox: the address is private")

// publicDialer connects to public addresses only, whatever the name that led
// there: programs that are not trusted must not reach the services of this
// machine and its network through a provider's address.
func publicDialer() *net.Dialer {
	return &net.Dialer{Timeout: 30 * time.Second, KeepAlive: 30 * time.Second, Control: func(_, address string, _ syscall.RawConn) error {
		at, err := netip.ParseAddrPort(address)
		if err != nil {
			return err
		}
		if !isPublic(at.Addr()) {
			return fmt.Errorf("%s: %w", at.Addr(), errPrivate)
		}
		return nil
	}}
}

// isPublic tells addresses of the internet from those of machines and networks
// (RFC 1918, 4193, 6598, 3927 and their like).
func isPublic(a netip.Addr) bool {
	a = a.Unmap()
	shared := netip.MustParsePrefix("100.64.0.0/10")
	return a.IsValid() && a.IsGlobalUnicast() && !a.IsPrivate() && !a.IsLoopback() && !a.IsLinkLocalUnicast() && !shared.Contains(a) &&
		!embedsPrivate(a)
}

// embedsPrivate finds private IPv4 addresses that are written as IPv6 ones, for
// translators (RFC 6052) and 6to4 (RFC 3056).
func embedsPrivate(a netip.Addr) bool {
	if !a.Is6() {
		return false
	}
	bytes := a.As16()
	switch {
	case netip.MustParsePrefix("64:ff9b::/96").Contains(a):
		return !isPublic(netip.AddrFrom4([4]byte(bytes[12:])))
	case netip.MustParsePrefix("2002::/16").Contains(a):
		return !isPublic(netip.AddrFrom4([4]byte(bytes[2:6])))
	}
	return false
}
