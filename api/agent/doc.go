// Package agent lets AI agents use the service by the Model Context Protocol: a few
// tools in the words of an adviser's assistant, and pages of documentation as resources.
//
// Each tool calls operations of the REST interface through an http.RoundTripper: over
// the network for ballast mcp, or the handler itself in the process of the service
// (Within). So rights, limits, the audit log, metering and errors are those of the
// interface, and nothing is decided twice.
//
// A tool's answer has at most AnswerBytes unless the caller asks for more. Lists that
// are too long are shortened, and the answer says what was left out and where it is.
// No tool deletes anything or handles keys.
//
//	s := agent.New(agent.Config{Transport: agent.WithKey(http.DefaultTransport, key), URL: origin})
//	err := s.Run(ctx, &mcp.StdioTransport{})
package agent
