// A server for HTTP/1.1 in a caller's loop, on one thread: libmicrohttpd, which is loaded when it is needed.
//
// A function that can fail returns 0 when all went well, otherwise -errno.
#ifndef CHTTP_H
#define CHTTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// The file that is loaded: the same one on Debian 12 (0.9.75) and 13 (1.0.1).
#define CHTTP_LIBRARY "libmicrohttpd.so.12"

struct chttp_server;
// A request and its answer. It is valid from the call of `head` to the end of the call of `ended`.
struct chttp_exchange;

struct chttp_calls {
  void *owner;
  // The headers have been read. Answers with chttp_answer where the request is to be refused: what follows of it is not kept.
  void (*head)(void *owner, struct chttp_exchange *exchange);
  // The request has been read whole. Answers with chttp_answer or chttp_stream, or calls chttp_wait and answers later.
  void (*whole)(void *owner, struct chttp_exchange *exchange, const uint8_t *body, size_t count);
  // Fills in what a stream says next. Returns how many bytes; 0 for nothing yet, then chttp_resume asks again; -1 for the end.
  ssize_t (*read)(void *owner, struct chttp_exchange *exchange, uint8_t *bytes, size_t capacity);
  // The answer has been sent, or the client has gone.
  void (*ended)(void *owner, struct chttp_exchange *exchange);
};

struct chttp_settings {
  int listener;           // a listening socket, which belongs to the server from now on, also after a failure
  unsigned connections;   // further ones are closed at once
  unsigned milliseconds;  // how long a request may take to come, and how long a client may take nothing
  size_t header_bytes;    // of the request line and the headers; more are answered with 431
  size_t body_bytes;      // a request of which more is to come is answered with 413
};

struct chttp_header {
  const char *name;
  const char *value;
};

// Whether chttp_load would find the library: looks for its file where the loader does, and loads it only if it is in none of these
// folders. The errors are those of chttp_load.
int chttp_find(void);

// Loads the library. -ENOSYS where this was compiled without its header, -ENOENT where the library is missing.
int chttp_load(void);

int chttp_start(const struct chttp_settings *settings, const struct chttp_calls *calls, struct chttp_server **server);
// Closes all connections; `ended` is called for each exchange.
void chttp_stop(struct chttp_server *server);
// An epoll descriptor, readable when chttp_run has something to do.
int chttp_descriptor(struct chttp_server *server);
// Reads and writes what is ready, without waiting.
void chttp_run(struct chttp_server *server);
// In how many milliseconds chttp_run must be called even if nothing becomes ready; -1 for never.
int64_t chttp_timeout(struct chttp_server *server);
// How many connections are open.
unsigned chttp_connections(struct chttp_server *server);

const char *chttp_method(struct chttp_exchange *exchange);
// The path and the query, as they were sent.
const char *chttp_target(struct chttp_exchange *exchange);
// The first header of a name; NULL where there is none. `count` is how many there are; NULL if that is not asked.
const char *chttp_request_header(struct chttp_exchange *exchange, const char *name, unsigned *count);

// Answers. The bytes are copied.
void chttp_answer(
    struct chttp_exchange *exchange, unsigned status, const struct chttp_header *headers, unsigned header_count,
    const uint8_t *bytes, size_t count);
// Answers with what `read` gives, block by block: `size` bytes, or a stream without an announced size if that is negative.
void chttp_stream(
    struct chttp_exchange *exchange, const struct chttp_header *headers, unsigned header_count, int64_t size);
// Answers later.
void chttp_wait(struct chttp_exchange *exchange);
// Asks `read` again. Does nothing while it is being asked anyway.
void chttp_resume(struct chttp_exchange *exchange);

#endif
