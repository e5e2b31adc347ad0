package webhook

import (
	"fmt"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"ballast/internal/fault"
)

// Rules describe which endpoints the operator allows.
type Rules struct {
	// Private allows http and addresses in private networks, for endpoints that run
	// next to the service.
	Private bool
	// Ports are the ports that events may be sent to, in addition to 443 and 80.
	Ports Ports
}

// checkURL refuses an address that events would never be sent to.
func (r Rules) checkURL(text string) *fault.Detail {
	accepted := []string{"an https address of a public host"}
	if r.Private {
		accepted = []string{"an http or https address"}
	}
	refuse := func(format string, args ...any) *fault.Detail {
		return &fault.Detail{Field: "url", Message: fmt.Sprintf(format, args...), Accepted: accepted}
	}
	if len(text) > longestURL {
		return refuse("is longer than %d bytes", longestURL)
	}
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Host == "" || u.Hostname() == "" || u.Opaque != "":
		return refuse("is not an absolute address")
	case u.Scheme != "https" && (!r.Private || u.Scheme != "http"):
		return refuse("has the scheme %q", u.Scheme)
	case u.User != nil:
		return refuse("has a user name; the receiver must authenticate events by their signature instead")
	case u.Fragment != "":
		return refuse("has a fragment, which is never sent")
	}
	if text := u.Port(); text != "" {
		if port, err := strconv.ParseUint(text, 10, 16); err != nil || !r.Ports.allow(uint16(port)) {
			accepted = []string{r.Ports.String()}
			return refuse("has the port %s, but events are only sent to %s; the operator can allow more with --webhook-ports", text, r.Ports)
		}
	}
	switch host := strings.TrimSuffix(strings.ToLower(u.Hostname()), "."); {
	case metadataName(host):
		return refuse("names %s, the metadata service of cloud machines", u.Hostname())
	case !r.Private && localName(host):
		return refuse("names %s, which is not a public host", u.Hostname())
	default:
		ip, err := netip.ParseAddr(host)
		if err == nil && r.checkAddress(ip) != nil {
			return refuse("names %s, a host that events are not sent to", u.Hostname())
		}
	}
	return nil
}

// localName reports names that the check of the connection would refuse anyway, so that
// the caller learns it at once. Other names are only looked up and checked when an event
// is sent.
func localName(host string) bool { return host == "localhost" || strings.HasSuffix(host, ".localhost") }
