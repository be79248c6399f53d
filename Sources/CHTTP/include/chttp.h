// A server for HTTP/1.1 in a caller's loop, on one thread. It uses libmicrohttpd, which is loaded when it is needed.
//
// A function that can fail returns 0 on success, and -errno on failure.
#ifndef CHTTP_H
#define CHTTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// The file to load: the same on Debian 12 (0.9.75) and 13 (1.0.1).
#define CHTTP_LIBRARY "libmicrohttpd.so.12"

struct chttp_server;
// A request and its answer. It is valid from the call of `head` to the end of the call of `ended`.
struct chttp_exchange;

struct chttp_calls {
  void *owner;
  // Called when the headers have been read. Call chttp_answer here to refuse the request: its body is then dropped.
  void (*head)(void *owner, struct chttp_exchange *exchange);
  // Called when the whole request has been read. Call chttp_answer or chttp_stream, or call chttp_wait and answer
  // later.
  void (*whole)(void *owner, struct chttp_exchange *exchange, const uint8_t *body, size_t count);
  // Writes the next bytes of a stream. Returns their number; 0 if there are none yet (chttp_resume then requests them
  // again); -1 at the end.
  ssize_t (*read)(void *owner, struct chttp_exchange *exchange, uint8_t *bytes, size_t capacity);
  // Called when the answer was sent, or the client has disconnected.
  void (*ended)(void *owner, struct chttp_exchange *exchange);
};

struct chttp_settings {
  int listener;           // a listening socket, which now belongs to the server, even after a failure
  unsigned connections;   // connections above this number are closed immediately
  unsigned milliseconds;  // the time limit for receiving a request, and for a client that reads nothing
  size_t header_bytes;    // the size of the request line and the headers; above it, the answer is 431
  size_t body_bytes;      // the size of a body; above it, the answer is 413
};

struct chttp_header {
  const char *name;
  const char *value;
};

// Returns 0 if chttp_load would find the library, or its error. Searches for the file where the loader does, and loads
// it only if none of these folders contains it.
int chttp_find(void);

// Loads the library. Returns -ENOSYS if this was compiled without its header, -ENOENT if the library is missing.
int chttp_load(void);

int chttp_start(const struct chttp_settings *settings, const struct chttp_calls *calls, struct chttp_server **server);
// Closes all connections. Calls `ended` for each exchange.
void chttp_stop(struct chttp_server *server);
// Returns an epoll descriptor, which is readable when chttp_run has something to do.
int chttp_descriptor(struct chttp_server *server);
// Reads and writes what is ready, without waiting.
void chttp_run(struct chttp_server *server);
// Returns the time in milliseconds after which chttp_run must be called even if nothing becomes ready; -1 for never.
int64_t chttp_timeout(struct chttp_server *server);
// Returns the number of open connections.
unsigned chttp_connections(struct chttp_server *server);

const char *chttp_method(struct chttp_exchange *exchange);
// Returns the path and the query, as they were sent.
const char *chttp_target(struct chttp_exchange *exchange);
// Returns the first header with a name; NULL if there is none. `count` is set to the number of such headers; it may be
// NULL.
const char *chttp_request_header(struct chttp_exchange *exchange, const char *name, unsigned *count);

// Sends an answer. Copies the bytes.
void chttp_answer(
    struct chttp_exchange *exchange, unsigned status, const struct chttp_header *headers, unsigned header_count,
    const uint8_t *bytes, size_t count);
// Answers with the bytes from `read`, block by block: `size` bytes, or a stream without an announced size if `size` is
// negative.
void chttp_stream(
    struct chttp_exchange *exchange, const struct chttp_header *headers, unsigned header_count, int64_t size);
// Makes the exchange wait for a later answer.
void chttp_wait(struct chttp_exchange *exchange);
// Makes the server call `read` again. Has no effect if it is going to call it anyway.
void chttp_resume(struct chttp_exchange *exchange);

#endif
