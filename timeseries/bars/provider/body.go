package provider

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// ErrHTML says that a web page came instead of data, such as an error page or a browser
// check. Its HTTP status may be anything, even 200.
var ErrHTML = errors.New("the response is an HTML page instead of data; open the provider's site in a browser to see what the page says")

// JSON decodes a body that is one JSON value and nothing else.
func JSON(body []byte, into any) error {
	text := bytes.TrimLeft(body, " \t\r\n\ufeff")
	if len(text) == 0 {
		return errors.New("the response is empty")
	}
	if text[0] == '<' {
		return ErrHTML
	}
	d := json.NewDecoder(bytes.NewReader(body))
	if err := d.Decode(into); err != nil {
		return errors.New("the response is not the documented JSON: " + err.Error())
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("the response has more data after its JSON value")
	}
	return nil
}
