// Connections of a UNIX socket. In C, because struct ucred and accept4 need _GNU_SOURCE.
#ifndef CLINUX_PEER_H
#define CLINUX_PEER_H

#include <stdint.h>

// Calls getsockopt with SO_PEERCRED, unix(7). Returns 0, or -errno without changing anything.
int clinux_peer(int descriptor, uint32_t *user, int32_t *process);

// Calls accept4(2). The descriptor doesn't block and is closed on exec. Returns it, or -1 with errno.
int clinux_accept(int descriptor);

#endif
