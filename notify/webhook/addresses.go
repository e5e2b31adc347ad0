package webhook

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"syscall"

	"code.dny.dev/ssrf"
)

// guard refuses the addresses that are not public according to IANA's registries.
var guard = ssrf.New(ssrf.WithAnyPort())

var (
	errAddress = errors.New("events are not sent to this address")
	errPort    = errors.New("events are not sent to this port")
)

// metadata are the addresses where clouds give a machine its credentials, and the
// link-local networks, which may have more of them. Events are never sent there, even if
// private networks are allowed.
var metadata = []netip.Prefix{
	netip.MustParsePrefix("169.254.0.0/16"),     // link-local: AWS, GCP, Azure, Oracle and others
	netip.MustParsePrefix("fe80::/10"),          // link-local
	netip.MustParsePrefix("fd00:ec2::/32"),      // AWS
	netip.MustParsePrefix("fd20:ce::254/128"),   // GCP
	netip.MustParsePrefix("100.100.100.200/32"), // Alibaba
	netip.MustParsePrefix("168.63.129.16/32"),   // Azure
	netip.MustParsePrefix("192.0.0.192/32"),     // Oracle
}

// metadataNames are host names that the resolvers of clouds map to these addresses.
var metadataNames = []string{
	"metadata", "metadata.google.internal", "metadata.goog", "metadata.azure.internal", "instance-data",
	"instance-data.ec2.internal", "metadata.tencentyun.com", "metadata.packet.net", "metadata.platformequinix.com",
}

func metadataName(host string) bool {
	return slices.Contains(metadataNames, host) || strings.HasPrefix(host, "instance-data.") && strings.HasSuffix(host, ".internal")
}

// connect is the control function of the dialer. It checks the resolved address right
// before the connection is made.
func (r Rules) connect(_, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("%w: %s is not a valid address", errAddress, address)
	}
	if !r.Ports.allow(to.Port()) {
		return errPort
	}
	return r.checkAddress(to.Addr())
}

// checkAddress refuses an address that events must not be sent to. It also checks IPv4
// addresses that are embedded in an IPv6 address.
func (r Rules) checkAddress(ip netip.Addr) error {
	for _, a := range append(within(ip), ip.WithZone("")) {
		for _, p := range metadata {
			if p.Contains(a) {
				return errAddress
			}
		}
		if !r.Private && guard.SafeAddr(a) != nil {
			return errAddress
		}
	}
	return nil
}

// The prefixes of IPv6 addresses that embed an IPv4 address.
var (
	compatible = netip.MustParsePrefix("::/96")
	nat64      = netip.MustParsePrefix("64:ff9b::/96")
	nat64Local = netip.MustParsePrefix("64:ff9b:1::/48") // RFC 8215; a network's own, of any length
	sixToFour  = netip.MustParsePrefix("2002::/16")
	teredo     = netip.MustParsePrefix("2001::/32")
)

// within returns the IPv4 addresses that an IPv6 address embeds.
func within(ip netip.Addr) []netip.Addr {
	if ip.Is4() {
		return nil
	}
	if ip.Is4In6() {
		return []netip.Addr{ip.Unmap()}
	}
	b := ip.WithZone("").As16()
	at := func(i int) netip.Addr { return netip.AddrFrom4([4]byte(b[i : i+4])) }
	switch a := ip.WithZone(""); {
	case compatible.Contains(a) && !a.IsLoopback() && !a.IsUnspecified(), nat64.Contains(a):
		return []netip.Addr{at(12)}
	case nat64Local.Contains(a):
		// RFC 6052: byte 8 is not part of the IPv4 address.
		return []netip.Addr{at(12), netip.AddrFrom4([4]byte{b[6], b[7], b[9], b[10]}), netip.AddrFrom4([4]byte{b[7], b[9], b[10], b[11]}), at(9)}
	case sixToFour.Contains(a):
		return []netip.Addr{at(2)}
	case teredo.Contains(a):
		return []netip.Addr{at(4), netip.AddrFrom4([4]byte{^b[12], ^b[13], ^b[14], ^b[15]})}
	case b[8]&^2 == 0 && b[9] == 0 && b[10] == 0x5e && b[11] == 0xfe: // ISATAP
		return []netip.Addr{at(12)}
	}
	return nil
}
