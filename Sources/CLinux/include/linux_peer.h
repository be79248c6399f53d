// Connections of a UNIX socket: struct ucred and accept4 are behind _GNU_SOURCE.
#ifndef CLINUX_PEER_H
#define CLINUX_PEER_H

#include <stdint.h>

// Calls getsockopt with SO_PEERCRED, unix(7); returns 0, or -errno and changes nothing.
int clinux_peer(int descriptor, uint32_t *user, int32_t *process);

// Calls accept4(2) for a descriptor that does not wait and that no program inherits; returns it, or -1 with errno.
int clinux_accept(int descriptor);

#endif
