#define _GNU_SOURCE
#include <errno.h>
#include <stddef.h>
#include <sys/socket.h>

#include "linux_peer.h"

int clinux_peer(int descriptor, uint32_t *user, int32_t *process) {
  struct ucred peer;
  socklen_t length = sizeof peer;
  if (getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0) return -errno;
  *user = peer.uid;
  *process = peer.pid;
  return 0;
}

int clinux_accept(int descriptor) { return accept4(descriptor, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK); }
