// Package sysuser names the system users that parts of the service run as if the
// service itself runs as root. Parts that must not reach each other have different
// users.
package sysuser

// Sandbox is the user and group id of sandbox processes. It is not a user that systems
// commonly have: nobody (65534), for instance, runs other programs too, such as the
// private database on a system without the user postgres.
const Sandbox = 65533
