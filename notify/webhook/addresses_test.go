package webhook

import (
	"errors"
	"net/netip"
	"testing"
)

// Events cannot reach the metadata services of clouds, however the address is written,
// and even if private networks are allowed.
func TestMetadataIsOutOfReach(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"169.254.169.254", "169.254.170.2", "169.254.0.1", "100.100.100.200", "168.63.129.16", "192.0.0.192",
		"fd00:ec2::254", "fd00:ec2::23", "fd20:ce::254", "fe80::1", "fe80::a9fe:a9fe%eth0",
		"::ffff:169.254.169.254", "::169.254.169.254", "64:ff9b::169.254.169.254", "64:ff9b::a9fe:a9fe",
		"64:ff9b:1::169.254.169.254", "64:ff9b:1:a9fe:a9:fe00::", "2002:a9fe:a9fe::1", "2001:0:a9fe:a9fe::1",
		"2001:0:808:808:0:0:5601:5601", "2001:db8::5efe:169.254.169.254", "2001:db8::200:5efe:169.254.169.254",
		"64:ff9b::100.100.100.200", "2002:6464:64c8::", "::ffff:168.63.129.16",
	} {
		for _, private := range []bool{true, false} {
			if err := (Rules{Private: private}).checkAddress(netip.MustParseAddr(text)); !errors.Is(err, errAddress) {
				t.Errorf("%s, private %v: %v", text, private, err)
			}
		}
	}
}

func TestPrivateAddressesAreAnOperatorsChoice(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"127.0.0.1", "::1", "10.0.0.1", "192.168.1.1", "172.16.0.1", "100.64.0.1", "fd00::1", "::ffff:10.0.0.1", "64:ff9b::10.0.0.1", "2002:a00:1::",
		"0.0.0.0", "::",
	} {
		ip := netip.MustParseAddr(text)
		if err := (Rules{}).checkAddress(ip); !errors.Is(err, errAddress) {
			t.Errorf("%s: %v", text, err)
		}
		if err := (Rules{Private: true}).checkAddress(ip); err != nil {
			t.Errorf("%s, where private networks are allowed: %v", text, err)
		}
	}
	for _, text := range []string{"93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946"} {
		if err := (Rules{}).checkAddress(netip.MustParseAddr(text)); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestParsePorts(t *testing.T) {
	t.Parallel()
	p, err := ParsePorts([]string{"8443", " 9000-9010"})
	if err != nil || p.String() != "the ports 443, 80, 8443, 9000-9010" {
		t.Errorf("%v, %v", p, err)
	}
	for port, want := range map[uint16]bool{443: true, 80: true, 8443: true, 9000: true, 9010: true, 9011: false, 22: false, 0: false} {
		if p.allow(port) != want {
			t.Errorf("%d: %v", port, !want)
		}
	}
	for _, bad := range []string{"", "0", "http", "70000", "9-8", "1-", "-1", "any"} {
		if _, err := ParsePorts([]string{bad}); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}
