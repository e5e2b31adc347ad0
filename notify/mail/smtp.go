package mail

import (
	"context"
	"errors"
	"fmt"
	netmail "net/mail"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/wneessen/go-mail"
)

const smtpTimeout = 30 * time.Second

// SMTP hands messages over to one mail server.
type SMTP struct {
	client *mail.Client
	from   *netmail.Address
	domain string
}

// NewSMTP parses the address of a mail server, smtp://user:password@host:587 or
// smtps://…, and the sender's address. Connections to an smtp address are encrypted with
// STARTTLS before anything else is sent. An address that ends in ?tls=off turns
// encryption off, and must not have a password.
func NewSMTP(address, from string) (*SMTP, error) {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" || (u.Scheme != "smtp" && u.Scheme != "smtps") {
		// The address may hold a password, so it is not shown.
		return nil, errors.New("the mail server's address must have the form smtp://user:password@host:587 or smtps://user:password@host:465")
	}
	sender, err := netmail.ParseAddress(from)
	if err != nil {
		return nil, fmt.Errorf("the sender's address %q is not valid: %w; use the form Ballast <ballast@example.com>", from, err)
	}
	_, domain, _ := strings.Cut(sender.Address, "@")
	// Mail servers often refuse the machine's own name.
	options := []mail.Option{mail.WithTimeout(smtpTimeout), mail.WithHELO(domain)}
	port := 587
	switch off := u.Query().Get("tls") == "off"; {
	case u.Scheme == "smtps":
		port = 465
		options = append(options, mail.WithSSL())
	case off && u.User != nil:
		return nil, errors.New("the mail server's address has a password and tls=off; a password is only sent over an encrypted connection, so remove one of the two")
	case off:
		options = append(options, mail.WithTLSPolicy(mail.NoTLS))
	default:
		options = append(options, mail.WithTLSPolicy(mail.TLSMandatory))
	}
	if text := u.Port(); text != "" {
		if port, err = strconv.Atoi(text); err != nil {
			return nil, fmt.Errorf("the mail server's port %q is not a number", text)
		}
	}
	options = append(options, mail.WithPort(port))
	if u.User != nil {
		password, _ := u.User.Password()
		options = append(options, mail.WithSMTPAuth(mail.SMTPAuthAutoDiscover), mail.WithUsername(u.User.Username()), mail.WithPassword(password))
	}
	client, err := mail.NewClient(u.Hostname(), options...)
	if err != nil {
		return nil, fmt.Errorf("the mail server's address: %w", err)
	}
	return &SMTP{client: client, from: sender, domain: domain}, nil
}

// Send hands one message over.
func (s *SMTP) Send(ctx context.Context, m *Message) error {
	out := mail.NewMsg()
	out.FromMailAddress(s.from)
	if err := out.To(m.To); err != nil {
		return fmt.Errorf("the owner's address is not valid: %w", err)
	}
	out.SetMessageIDWithValue(m.ID + "@" + s.domain)
	out.SetDate()
	out.SetGenHeader("Auto-Submitted", "auto-generated")
	out.Subject(m.Subject)
	out.SetBodyString(mail.TypeTextPlain, m.Text)
	out.AddAlternativeString(mail.TypeTextHTML, m.HTML)
	ctx, cancel := context.WithTimeout(ctx, smtpTimeout)
	defer cancel()
	return s.client.DialAndSendWithContext(ctx, out)
}
