// The server, with libmicrohttpd. Without the library's header, chttp_none.c is compiled instead.
#if __has_include(<microhttpd.h>)

// For dlinfo.
#define _GNU_SOURCE
#include "chttp.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <microhttpd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

// The functions of the library that are used.
#define EACH_FUNCTION(of)                                                                                             \
  of(MHD_start_daemon) of(MHD_stop_daemon) of(MHD_run) of(MHD_get_timeout) of(MHD_get_daemon_info)                   \
  of(MHD_get_connection_info) of(MHD_get_connection_values) of(MHD_queue_response) of(MHD_destroy_response)          \
  of(MHD_create_response_from_buffer) of(MHD_create_response_from_callback) of(MHD_add_response_header)              \
  of(MHD_suspend_connection) of(MHD_resume_connection)

static struct {
#define DECLARE(name) __typeof__(&name) name;
  EACH_FUNCTION(DECLARE)
} mhd;

// The number of bytes of a stream that are requested at a time.
enum { BLOCK = 16 << 10 };
// The memory of a connection that the library needs in addition to the headers and the block of a stream, in bytes.
enum { CONNECTION_OVERHEAD = 4 << 10 };
// The maximum size in bytes of a refused body that is read to its end. For a longer one, the connection is closed.
enum { MOST_DISCARDED = 1 << 20 };

struct connection {
  int descriptor;
  int64_t waiting_since;  // milliseconds; -1 while a request is being answered
  struct connection *next, *previous;
};

struct chttp_server {
  struct MHD_Daemon *daemon;
  struct chttp_calls calls;
  struct chttp_settings settings;
  unsigned count;
  struct connection *connections;
};

struct chttp_exchange {
  struct chttp_server *server;
  struct MHD_Connection *connection;
  struct connection *place;
  char *target;
  char *method;
  uint8_t *body;
  size_t count, capacity;
  bool has_begun;   // `head` has been called
  bool is_refused;  // an answer was given at `head`
  bool is_stream, is_suspended, is_over, is_queued;
  struct MHD_Response *answer;
  unsigned status;
};

static int64_t milliseconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

// Returns whether one of the loader's search folders contains the library. The folders in /etc/ld.so.conf are not
// included.
static bool is_in_folders(void) {
  void *program = dlopen(NULL, RTLD_LAZY);
  Dl_serinfo size;
  if (!program || dlinfo(program, RTLD_DI_SERINFOSIZE, &size) != 0) return false;
  Dl_serinfo *folders = malloc(size.dls_size);
  bool is_there = false;
  if (folders && dlinfo(program, RTLD_DI_SERINFOSIZE, folders) == 0 && dlinfo(program, RTLD_DI_SERINFO, folders) == 0) {
    for (unsigned index = 0; index < folders->dls_cnt && !is_there; index++) {
      char path[PATH_MAX];
      int length = snprintf(path, sizeof path, "%s/%s", folders->dls_serpath[index].dls_name, CHTTP_LIBRARY);
      is_there = length > 0 && (size_t)length < sizeof path && access(path, R_OK) == 0;
    }
  }
  free(folders);
  dlclose(program);
  return is_there;
}

int chttp_find(void) { return is_in_folders() ? 0 : chttp_load(); }

int chttp_load(void) {
  static void *library;
  if (library) return 0;
  void *opened = dlopen(CHTTP_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (!opened) return -ENOENT;
#define FIND(name)                                                  \
  mhd.name = (__typeof__(&name))dlsym(opened, #name);               \
  if (!mhd.name) {                                                  \
    dlclose(opened);                                                \
    return -ENOENT;                                                 \
  }
  EACH_FUNCTION(FIND)
  library = opened;
  return 0;
}

// MARK: Exchanges

static void *note_target(void *owner, const char *target, struct MHD_Connection *connection) {
  struct chttp_exchange *exchange = calloc(1, sizeof *exchange);
  if (!exchange) return NULL;
  exchange->server = owner;
  exchange->connection = connection;
  exchange->target = strdup(target);
  return exchange;
}

static enum MHD_Result queue(struct chttp_exchange *exchange) {
  if (exchange->is_queued) return MHD_YES;
  exchange->is_queued = true;
  enum MHD_Result result = mhd.MHD_queue_response(exchange->connection, exchange->status, exchange->answer);
  mhd.MHD_destroy_response(exchange->answer);
  exchange->answer = NULL;
  return result;
}

// Returns a body's length as announced by the client; -1 if it is missing or not a number.
static int64_t announced_length(struct chttp_exchange *exchange) {
  const char *text = chttp_request_header(exchange, "Content-Length", NULL);
  if (!text || !*text) return -1;
  char *end;
  errno = 0;
  long long length = strtoll(text, &end, 10);
  return errno || *end || length < 0 ? -1 : (int64_t)length;
}

static enum MHD_Result begin(struct chttp_exchange *exchange, const char *method) {
  exchange->has_begun = true;
  exchange->method = strdup(method);
  if (!exchange->method || !exchange->target) return MHD_NO;
  const union MHD_ConnectionInfo *info =
      mhd.MHD_get_connection_info(exchange->connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  exchange->place = info ? info->socket_context : NULL;
  exchange->server->calls.head(exchange->server->calls.owner, exchange);
  if (!exchange->answer) return MHD_YES;
  exchange->is_refused = true;
  // A client that is still sending would see a connection reset instead of an answer. Its body is therefore read and
  // dropped.
  bool has_body = chttp_request_header(exchange, "Transfer-Encoding", NULL) || announced_length(exchange) > MOST_DISCARDED;
  return has_body ? queue(exchange) : MHD_YES;
}

static enum MHD_Result keep(struct chttp_exchange *exchange, const char *bytes, size_t count) {
  if (exchange->is_refused) return MHD_YES;
  if (count > exchange->server->settings.body_bytes - exchange->count) return MHD_NO;
  if (exchange->count + count > exchange->capacity) {
    size_t capacity = exchange->count + count + 4096;
    uint8_t *larger = realloc(exchange->body, capacity);
    if (!larger) return MHD_NO;
    exchange->body = larger;
    exchange->capacity = capacity;
  }
  memcpy(exchange->body + exchange->count, bytes, count);
  exchange->count += count;
  return MHD_YES;
}

static enum MHD_Result handle(
    void *owner, struct MHD_Connection *connection, const char *url, const char *method, const char *version,
    const char *upload, size_t *upload_count, void **of_request) {
  (void)owner;
  (void)connection;
  (void)url;
  (void)version;
  struct chttp_exchange *exchange = *of_request;
  if (!exchange) return MHD_NO;
  if (!exchange->has_begun) return begin(exchange, method);
  if (*upload_count > 0) {
    size_t count = *upload_count;
    *upload_count = 0;
    return keep(exchange, upload, count);
  }
  if (exchange->place) exchange->place->waiting_since = -1;
  if (!exchange->answer)
    exchange->server->calls.whole(exchange->server->calls.owner, exchange, exchange->body, exchange->count);
  if (exchange->answer) return queue(exchange);
  return exchange->is_suspended ? MHD_YES : MHD_NO;
}

static void complete(
    void *owner, struct MHD_Connection *connection, void **of_request, enum MHD_RequestTerminationCode code) {
  (void)owner;
  (void)connection;
  (void)code;
  struct chttp_exchange *exchange = *of_request;
  if (!exchange) return;
  *of_request = NULL;
  exchange->is_over = true;
  if (exchange->place) exchange->place->waiting_since = milliseconds_now();
  if (exchange->has_begun) exchange->server->calls.ended(exchange->server->calls.owner, exchange);
  if (exchange->answer) mhd.MHD_destroy_response(exchange->answer);
  free(exchange->body);
  free(exchange->target);
  free(exchange->method);
  free(exchange);
}

const char *chttp_method(struct chttp_exchange *exchange) { return exchange->method; }

const char *chttp_target(struct chttp_exchange *exchange) { return exchange->target; }

struct header_search {
  const char *name, *value;
  unsigned count;
};

static enum MHD_Result compare_header(void *owner, enum MHD_ValueKind kind, const char *name, const char *value) {
  (void)kind;
  struct header_search *search = owner;
  if (strcasecmp(name, search->name) == 0 && search->count++ == 0) search->value = value ? value : "";
  return MHD_YES;
}

const char *chttp_request_header(struct chttp_exchange *exchange, const char *name, unsigned *count) {
  struct header_search search = {.name = name};
  mhd.MHD_get_connection_values(exchange->connection, MHD_HEADER_KIND, compare_header, &search);
  if (count) *count = search.count;
  return search.value;
}

static void set_answer(
    struct chttp_exchange *exchange, struct MHD_Response *response, unsigned status, const struct chttp_header *headers,
    unsigned count) {
  if (!response) return;
  for (unsigned index = 0; index < count; index++)
    mhd.MHD_add_response_header(response, headers[index].name, headers[index].value);
  exchange->answer = response;
  exchange->status = status;
  if (!exchange->is_suspended) return;
  exchange->is_suspended = false;
  mhd.MHD_resume_connection(exchange->connection);
}

void chttp_answer(
    struct chttp_exchange *exchange, unsigned status, const struct chttp_header *headers, unsigned header_count,
    const uint8_t *bytes, size_t count) {
  if (exchange->answer || exchange->is_queued) return;
  struct MHD_Response *response =
      mhd.MHD_create_response_from_buffer(count, (void *)(uintptr_t)bytes, MHD_RESPMEM_MUST_COPY);
  set_answer(exchange, response, status, headers, header_count);
}

static ssize_t read_stream(void *owner, uint64_t position, char *bytes, size_t capacity) {
  (void)position;
  struct chttp_exchange *exchange = owner;
  if (exchange->is_over) return MHD_CONTENT_READER_END_OF_STREAM;
  struct chttp_calls *calls = &exchange->server->calls;
  ssize_t count = calls->read(calls->owner, exchange, (uint8_t *)bytes, capacity);
  if (count > 0) return count;
  if (count < 0) return MHD_CONTENT_READER_END_OF_STREAM;
  // A reader that only returns 0 is called again immediately, in an endless loop.
  exchange->is_suspended = true;
  mhd.MHD_suspend_connection(exchange->connection);
  return 0;
}

void chttp_stream(
    struct chttp_exchange *exchange, const struct chttp_header *headers, unsigned header_count, int64_t size) {
  if (exchange->answer || exchange->is_queued) return;
  exchange->is_stream = true;
  struct MHD_Response *response =
      mhd.MHD_create_response_from_callback(
          size < 0 ? MHD_SIZE_UNKNOWN : (uint64_t)size, BLOCK, read_stream, exchange, NULL);
  set_answer(exchange, response, MHD_HTTP_OK, headers, header_count);
}

void chttp_wait(struct chttp_exchange *exchange) {
  exchange->is_suspended = true;
  mhd.MHD_suspend_connection(exchange->connection);
}

void chttp_resume(struct chttp_exchange *exchange) {
  if (!exchange->is_stream || !exchange->is_suspended) return;
  exchange->is_suspended = false;
  mhd.MHD_resume_connection(exchange->connection);
}

// MARK: Connections

static enum MHD_Result accept_connection(void *owner, const struct sockaddr *address, socklen_t length) {
  (void)address;
  (void)length;
  struct chttp_server *server = owner;
  return server->count < server->settings.connections ? MHD_YES : MHD_NO;
}

static void note_connection(
    void *owner, struct MHD_Connection *connection, void **place, enum MHD_ConnectionNotificationCode code) {
  struct chttp_server *server = owner;
  if (code == MHD_CONNECTION_NOTIFY_STARTED) {
    const union MHD_ConnectionInfo *info = mhd.MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    int descriptor = info ? info->connect_fd : -1;
    struct connection *opened = calloc(1, sizeof *opened);
    if (!opened) {
      // Without memory to record how long it waits, it is closed.
      shutdown(descriptor, SHUT_RDWR);
      return;
    }
    opened->descriptor = descriptor;
    opened->waiting_since = milliseconds_now();
    opened->next = server->connections;
    if (opened->next) opened->next->previous = opened;
    server->connections = opened;
    server->count++;
    *place = opened;
    return;
  }
  struct connection *closed = *place;
  if (!closed) return;
  *place = NULL;
  if (closed->next) closed->next->previous = closed->previous;
  if (closed->previous) closed->previous->next = closed->next;
  else server->connections = closed->next;
  server->count--;
  free(closed);
}

// MARK: The server

int chttp_start(const struct chttp_settings *settings, const struct chttp_calls *calls, struct chttp_server **server) {
  struct chttp_server *started = calloc(1, sizeof *started);
  int failure = started ? chttp_load() : -ENOMEM;
  if (failure) {
    free(started);
    close(settings->listener);
    return failure;
  }
  started->settings = *settings;
  started->calls = *calls;
  started->daemon = mhd.MHD_start_daemon(
      MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, 0, accept_connection, started, handle, started,
      MHD_OPTION_LISTEN_SOCKET, settings->listener,
      // Connections above the limit are accepted and closed. If not, they would wait until others are closed.
      MHD_OPTION_CONNECTION_LIMIT, settings->connections + 8,
      MHD_OPTION_CONNECTION_TIMEOUT, (settings->milliseconds + 999) / 1000,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, settings->header_bytes + CONNECTION_OVERHEAD,
      MHD_OPTION_URI_LOG_CALLBACK, note_target, started,
      MHD_OPTION_NOTIFY_COMPLETED, complete, started,
      MHD_OPTION_NOTIFY_CONNECTION, note_connection, started, MHD_OPTION_END);
  if (!started->daemon) {
    failure = errno > 0 ? -errno : -EIO;
    free(started);
    close(settings->listener);
    return failure;
  }
  *server = started;
  return 0;
}

void chttp_stop(struct chttp_server *server) {
  mhd.MHD_stop_daemon(server->daemon);
  free(server);
}

int chttp_descriptor(struct chttp_server *server) {
  const union MHD_DaemonInfo *info = mhd.MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_EPOLL_FD);
  return info ? info->epoll_fd : -1;
}

void chttp_run(struct chttp_server *server) {
  // The library's own time limit starts again with each received byte.
  int64_t now = milliseconds_now();
  for (struct connection *each = server->connections; each; each = each->next) {
    if (each->waiting_since < 0 || now - each->waiting_since < server->settings.milliseconds) continue;
    shutdown(each->descriptor, SHUT_RDWR);
    each->waiting_since = now;
  }
  mhd.MHD_run(server->daemon);
}

int64_t chttp_timeout(struct chttp_server *server) {
  MHD_UNSIGNED_LONG_LONG library;
  int64_t timeout = -1;
  if (mhd.MHD_get_timeout(server->daemon, &library) == MHD_YES)
    timeout = library > INT32_MAX ? INT32_MAX : (int64_t)library;
  int64_t now = milliseconds_now();
  for (struct connection *each = server->connections; each; each = each->next) {
    if (each->waiting_since < 0) continue;
    int64_t left = each->waiting_since + server->settings.milliseconds - now;
    if (left < 0) left = 0;
    if (timeout < 0 || left < timeout) timeout = left;
  }
  return timeout;
}

unsigned chttp_connections(struct chttp_server *server) { return server->count; }

#endif
