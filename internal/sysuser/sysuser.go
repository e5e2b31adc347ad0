// Package sysuser names the system users that parts of the service run as where
// the service itself is root. Parts that must not touch each other have users of
// their own.
package sysuser

// Sandbox is the user and group id of sandbox processes. It is none of a
// system's usual users: nobody (65534) runs other programs too, such as a
// private database on a system without the user postgres.
const Sandbox = 65533
