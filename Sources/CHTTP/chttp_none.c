// Without the header of libmicrohttpd, there can't be a server: chttp_load and chttp_start return -ENOSYS.
#if !__has_include(<microhttpd.h>)

#include "chttp.h"

#include <errno.h>

static const int missing = -ENOSYS;

int chttp_find(void) { return missing; }

int chttp_load(void) { return missing; }

int chttp_start(const struct chttp_settings *settings, const struct chttp_calls *calls, struct chttp_server **server) {
  (void)settings;
  (void)calls;
  (void)server;
  return missing;
}

void chttp_stop(struct chttp_server *server) { (void)server; }

int chttp_descriptor(struct chttp_server *server) {
  (void)server;
  return -1;
}

void chttp_run(struct chttp_server *server) { (void)server; }

int64_t chttp_timeout(struct chttp_server *server) {
  (void)server;
  return -1;
}

unsigned chttp_connections(struct chttp_server *server) {
  (void)server;
  return 0;
}

const char *chttp_method(struct chttp_exchange *exchange) {
  (void)exchange;
  return "";
}

const char *chttp_target(struct chttp_exchange *exchange) {
  (void)exchange;
  return "";
}

const char *chttp_request_header(struct chttp_exchange *exchange, const char *name, unsigned *count) {
  (void)exchange;
  (void)name;
  if (count) *count = 0;
  return 0;
}

void chttp_answer(
    struct chttp_exchange *exchange, unsigned status, const struct chttp_header *headers, unsigned header_count,
    const uint8_t *bytes, size_t count) {
  (void)exchange;
  (void)status;
  (void)headers;
  (void)header_count;
  (void)bytes;
  (void)count;
}

void chttp_stream(
    struct chttp_exchange *exchange, const struct chttp_header *headers, unsigned header_count, int64_t size) {
  (void)exchange;
  (void)headers;
  (void)header_count;
  (void)size;
}

void chttp_wait(struct chttp_exchange *exchange) { (void)exchange; }

void chttp_resume(struct chttp_exchange *exchange) { (void)exchange; }

#endif
