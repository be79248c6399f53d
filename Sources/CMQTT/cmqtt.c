#include "cmqtt.h"
#include "gate.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// The functions and types of libmosquitto 2.0 that are used, from mosquitto.h. They are declared here so that a build
// doesn't need the header.
struct mosquitto;

struct mosquitto_message {
  int mid;
  char *topic;
  void *payload;
  int payloadlen;
  int qos;
  bool retain;
};

enum { OPTION_TCP_NODELAY = 11, OPTION_TLS_USE_OS_CERTS = 13 };
enum {
  ERROR_PROTOCOL = 2,
  ERROR_NO_CONNECTION = 4,
  ERROR_CONNECTION_LOST = 7,
  ERROR_TLS = 8,
  ERROR_NOT_SUPPORTED = 10,
  ERROR_ERRNO = 14
};
enum { REFUSED_SUBSCRIPTION = 0x80 };
// The maximum number of packets that one exchange reads, and of pieces that it reads from the gate.
enum { MOST_READS = 64, MOST_PIECES = 64 };

static struct {
  int (*lib_init)(void);
  struct mosquitto *(*new)(const char *id, bool clean_session, void *owner);
  void (*destroy)(struct mosquitto *);
  int (*will_set)(struct mosquitto *, const char *topic, int count, const void *payload, int qos, bool retain);
  int (*username_pw_set)(struct mosquitto *, const char *user, const char *password);
  int (*tls_set)(
      struct mosquitto *, const char *authorities, const char *folder, const char *certificate, const char *key,
      int (*password)(char *, int, int, void *));
  int (*tls_insecure_set)(struct mosquitto *, bool);
  int (*int_option)(struct mosquitto *, int option, int value);
  int (*connect_async)(struct mosquitto *, const char *host, int port, int keepalive);
  int (*disconnect)(struct mosquitto *);
  int (*publish)(struct mosquitto *, int *mid, const char *topic, int count, const void *payload, int qos, bool retain);
  int (*subscribe_multiple)(
      struct mosquitto *, int *mid, int count, char *const *const filters, int qos, int options, const void *properties);
  int (*unsubscribe_multiple)(
      struct mosquitto *, int *mid, int count, char *const *const filters, const void *properties);
  int (*loop_read)(struct mosquitto *, int);
  int (*loop_write)(struct mosquitto *, int);
  int (*loop_misc)(struct mosquitto *);
  int (*socket)(struct mosquitto *);
  bool (*want_write)(struct mosquitto *);
  const char *(*strerror)(int);
  const char *(*connack_string)(int);
  void (*connect_callback_set)(struct mosquitto *, void (*)(struct mosquitto *, void *, int));
  void (*subscribe_callback_set)(struct mosquitto *, void (*)(struct mosquitto *, void *, int, int, const int *));
  void (*publish_callback_set)(struct mosquitto *, void (*)(struct mosquitto *, void *, int));
  void (*message_callback_set)(struct mosquitto *, void (*)(struct mosquitto *, void *, const struct mosquitto_message *));
} mosquitto;

#define EACH_FUNCTION(of)                                                                                              \
  of(lib_init) of(new) of(destroy) of(will_set) of(username_pw_set) of(tls_set) of(tls_insecure_set) of(int_option)   \
  of(connect_async) of(disconnect) of(publish) of(subscribe_multiple) of(unsubscribe_multiple) of(loop_read)          \
  of(loop_write) of(loop_misc)                                                                                         \
  of(socket) of(want_write) of(strerror) of(connack_string) of(connect_callback_set) of(subscribe_callback_set)       \
  of(publish_callback_set) of(message_callback_set)

static bool is_loaded;

// The functions and types of OpenSSL 1.1 and 3 that are used, from ssl.h and x509.h. libmosquitto has loaded it.
struct ssl;
struct x509;
struct asn1_time;

// Called when an object of OpenSSL is freed.
typedef void ssl_freed(void *object, void *value, void *values, int index, long, void *);

static struct {
  struct ssl *(*of)(struct mosquitto *);
  int (*new_index)(int class, long, void *, void *created, void *copied, ssl_freed *freed);
  long (*get_verify_result)(const struct ssl *);
  const char *(*verify_text)(long);
  struct x509 *(*peer)(const struct ssl *);
  const struct asn1_time *(*not_after)(const struct x509 *);
  int (*difference)(int *days, int *seconds, const struct asn1_time *from, const struct asn1_time *to);
  void (*free)(struct x509 *);
  void *(*read_bio)(const struct ssl *);
  uint64_t (*number_read)(void *bio);
} tls;

static bool has_tls;

// The functions of OpenSSL with which the gate inspects an encrypted connection. Without them, connections with TLS are
// refused.
static struct gate_tls gate_tls;
static bool has_gate_tls;

struct cmqtt_client {
  struct mosquitto *mosquitto;
  struct gate gate;
  struct cmqtt_calls calls;
  unsigned count;  // the number of calls made
  long fault;      // the fault of the broker's certificate: X509_V_ERR; 0 if there is none
};

// The client for which a function of the library is being called.
static _Thread_local struct cmqtt_client *current;

enum { SSL_OBJECTS = 0, UNSPECIFIED_FAULT = 1 };  // CRYPTO_EX_INDEX_SSL, X509_V_ERR_UNSPECIFIED

// If the encryption fails, the library frees its objects, and with them the reason, before it returns.
static void note_end(void *object, void *value, void *values, int index, long number, void *more) {
  (void)value, (void)values, (void)index, (void)number, (void)more;
  long result = object && current ? tls.get_verify_result(object) : 0;
  if (result) current->fault = result;
}

static void *first_of(const char *const *files, const char *const *names) {
  for (; *files; files++) {
    void *library = dlopen(*files, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
    if (!library) continue;
    for (const char *const *name = names; *name; name++) {
      void *function = dlsym(library, *name);
      if (function) return function;
    }
  }
  return NULL;
}

// The state of a certificate can be read only if all functions are found. Nothing else depends on them.
static void load_tls(void *library) {
  static const char *const ssl[] = {"libssl.so.3", "libssl.so.1.1", NULL};
  static const char *const crypto[] = {"libcrypto.so.3", "libcrypto.so.1.1", NULL};
#define NAMES(...) ((const char *const[]){__VA_ARGS__, NULL})
  tls.of = (__typeof__(tls.of))dlsym(library, "mosquitto_ssl_get");
  tls.new_index = (__typeof__(tls.new_index))first_of(crypto, NAMES("CRYPTO_get_ex_new_index"));
  tls.get_verify_result = (__typeof__(tls.get_verify_result))first_of(ssl, NAMES("SSL_get_verify_result"));
  tls.peer = (__typeof__(tls.peer))first_of(ssl, NAMES("SSL_get1_peer_certificate", "SSL_get_peer_certificate"));
  tls.verify_text = (__typeof__(tls.verify_text))first_of(crypto, NAMES("X509_verify_cert_error_string"));
  tls.not_after = (__typeof__(tls.not_after))first_of(crypto, NAMES("X509_get0_notAfter"));
  tls.difference = (__typeof__(tls.difference))first_of(crypto, NAMES("ASN1_TIME_diff"));
  tls.free = (__typeof__(tls.free))first_of(crypto, NAMES("X509_free"));
  tls.read_bio = (__typeof__(tls.read_bio))first_of(ssl, NAMES("SSL_get_rbio"));
  tls.number_read = (__typeof__(tls.number_read))first_of(crypto, NAMES("BIO_number_read"));
  gate_tls.peek = (__typeof__(gate_tls.peek))first_of(ssl, NAMES("SSL_peek"));
  gate_tls.read = (__typeof__(gate_tls.read))first_of(ssl, NAMES("SSL_read"));
  gate_tls.write = (__typeof__(gate_tls.write))first_of(ssl, NAMES("SSL_write"));
  gate_tls.pending = (__typeof__(gate_tls.pending))first_of(ssl, NAMES("SSL_pending"));
  gate_tls.is_finished = (__typeof__(gate_tls.is_finished))first_of(ssl, NAMES("SSL_is_init_finished"));
  has_gate_tls = tls.of && tls.read_bio && tls.number_read && gate_tls.peek && gate_tls.read && gate_tls.write &&
                 gate_tls.pending && gate_tls.is_finished;
  has_tls = tls.of && tls.new_index && tls.get_verify_result && tls.peer && tls.verify_text && tls.not_after && tls.difference &&
            tls.free;
  if (has_tls) tls.new_index(SSL_OBJECTS, 0, NULL, NULL, NULL, note_end);
}

static void load(void) {
  void *library = dlopen(CMQTT_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (!library) return;
#define FIND(name)                                                                      \
  mosquitto.name = (__typeof__(mosquitto.name))dlsym(library, "mosquitto_" #name);      \
  if (!mosquitto.name) {                                                                \
    dlclose(library);                                                                   \
    return;                                                                             \
  }
  EACH_FUNCTION(FIND)
  is_loaded = mosquitto.lib_init() == 0;
  load_tls(library);
}

int cmqtt_load(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return is_loaded ? 0 : CMQTT_NO_LIBRARY;
}

static void connected(struct mosquitto *library, void *owner, int code) {
  (void)library;
  struct cmqtt_client *client = owner;
  client->count++;
  client->calls.connected(client->calls.owner, code);
}

static void subscribed(struct mosquitto *library, void *owner, int mid, int count, const int *granted) {
  (void)library;
  struct cmqtt_client *client = owner;
  client->count++;
  int refused = -1;
  for (int place = count - 1; place >= 0; place--)
    if (granted[place] >= REFUSED_SUBSCRIPTION) refused = place;
  client->calls.subscribed(client->calls.owner, mid, refused);
}

static void delivered(struct mosquitto *library, void *owner, int mid) {
  (void)library;
  struct cmqtt_client *client = owner;
  client->count++;
  client->calls.delivered(client->calls.owner, mid);
}

static void heard(struct mosquitto *library, void *owner, const struct mosquitto_message *message) {
  (void)library;
  struct cmqtt_client *client = owner;
  client->count++;
  client->calls.heard(
      client->calls.owner, message->topic, message->payload, message->payloadlen < 0 ? 0 : (size_t)message->payloadlen,
      message->retain);
}

static void left_out(void *owner, const char *topic, size_t size, bool is_retained) {
  struct cmqtt_client *client = owner;
  client->count++;
  client->calls.left_out(client->calls.owner, topic, size, is_retained);
}

static struct ssl *ssl_of(struct cmqtt_client *client) {
  return client->gate.tls ? tls.of(client->mosquitto) : NULL;
}

static int configure(struct cmqtt_client *client, const struct cmqtt_settings *settings) {
  struct mosquitto *library = client->mosquitto;
  mosquitto.connect_callback_set(library, connected);
  mosquitto.subscribe_callback_set(library, subscribed);
  mosquitto.publish_callback_set(library, delivered);
  mosquitto.message_callback_set(library, heard);
  int code = mosquitto.int_option(library, OPTION_TCP_NODELAY, 1);
  if (!code && settings->will_topic)
    code = mosquitto.will_set(
        library, settings->will_topic, (int)strlen(settings->will_payload), settings->will_payload, 1, true);
  if (!code && settings->user) code = mosquitto.username_pw_set(library, settings->user, settings->password);
  if (code || !settings->has_tls) return code;
  // tls_set can't be called without authorities. For a client certificate alone, it gets the folder in which Debian
  // stores the system's authorities.
  if (!settings->authorities) code = mosquitto.int_option(library, OPTION_TLS_USE_OS_CERTS, 1);
  if (!code && (settings->authorities || settings->certificate))
    code = mosquitto.tls_set(
        library, settings->authorities, settings->authorities ? NULL : "/etc/ssl/certs", settings->certificate,
        settings->key, NULL);
  if (!code && settings->accepts_any_certificate) code = mosquitto.tls_insecure_set(library, true);
  return code;
}

static int open_gate(struct cmqtt_client *client, int *error) {
  *error = gate_open(&client->gate, mosquitto.socket(client->mosquitto));
  if (*error) return ERROR_ERRNO;
  // The library has just sent its first bytes. If this thread was preempted, the broker may already have answered.
  struct ssl *ssl = ssl_of(client);
  client->gate.is_amid_record = ssl && tls.number_read(tls.read_bio(ssl)) > 0;
  return 0;
}

int cmqtt_connect(
    const struct cmqtt_settings *settings, const struct cmqtt_calls *calls, struct cmqtt_client **client, int *error) {
  int code = cmqtt_load();
  if (code) return code;
  struct cmqtt_client *made = calloc(1, sizeof *made);
  if (!made) {
    *error = ENOMEM;
    return ERROR_ERRNO;
  }
  made->calls = *calls;
  made->mosquitto = mosquitto.new(settings->client, true, made);
  if (!made->mosquitto) {
    *error = errno;
    free(made);
    return ERROR_ERRNO;
  }
  code = configure(made, settings);
  made->gate.outside = made->gate.inside = -1;
  made->gate.left_out = left_out;
  made->gate.owner = made;
  if (!code && settings->has_tls && !has_gate_tls) code = ERROR_NOT_SUPPORTED;
  if (settings->has_tls) made->gate.tls = &gate_tls;
  current = made;
  if (!code) code = mosquitto.connect_async(made->mosquitto, settings->host, settings->port, settings->keepalive);
  *error = errno;
  current = NULL;
  *client = made;
  if (!code) code = open_gate(made, error);
  return code;
}

int cmqtt_subscribe(
    struct cmqtt_client *client, const char *const *filters, int count, int quality, int *identifier) {
  return mosquitto.subscribe_multiple(
      client->mosquitto, identifier, count, (char *const *)(uintptr_t)filters, quality, 0, NULL);
}

int cmqtt_unsubscribe(struct cmqtt_client *client, const char *const *filters, int count) {
  int code = mosquitto.unsubscribe_multiple(client->mosquitto, NULL, count, (char *const *)(uintptr_t)filters, NULL);
  gate_drain(&client->gate);
  return code;
}

int cmqtt_publish(
    struct cmqtt_client *client, const char *topic, const void *payload, size_t count, int quality, bool is_retained,
    int *identifier) {
  int code = mosquitto.publish(client->mosquitto, identifier, topic, (int)count, payload, quality, is_retained);
  gate_drain(&client->gate);
  return code;
}

// Makes the library read everything that the gate has passed on, and the gate read more from the connection.
static int read_all(struct cmqtt_client *client) {
  struct gate *gate = &client->gate;
  unsigned begin = client->count;
  for (int piece = 0; piece < MOST_PIECES && client->count - begin < MOST_READS; piece++) {
    int socket = mosquitto.socket(client->mosquitto);
    enum gate_result result = GATE_BROUGHT;
    if (gate_unread(gate, socket, ssl_of(client)) == 0) result = gate_fill(gate, ssl_of(client));
    if (result == GATE_REFUSED) return gate->refused ? CMQTT_TOO_LONG : ERROR_PROTOCOL;
    if (result == GATE_LEFT_OUT) continue;
    int before, left = 0;
    do {
      before = left;
      errno = 0;
      // Also called without new bytes: the library then continues the TLS handshake, or detects the end of the
      // connection.
      int code = mosquitto.loop_read(client->mosquitto, 1);
      if (code) return code;
      left = gate_unread(gate, socket, ssl_of(client));
    } while (left > 0 && left != before);
    if (result != GATE_BROUGHT) break;
  }
  return 0;
}

// Returns the error code for a connection that the broker has closed. If the broker has left bytes unread, the kernel
// reports a reset instead of a close, at the first poll or at a later read. Both are the same fault. A peer without TLS
// closes the connection during the handshake.
static int end_of_connection(int code, int error, bool is_encrypting) {
  bool has_ended = code == ERROR_CONNECTION_LOST || (code == ERROR_ERRNO && (error == ECONNRESET || error == EPIPE));
  if (!has_ended) return code;
  return is_encrypting ? ERROR_TLS : ERROR_CONNECTION_LOST;
}

int cmqtt_exchange(struct cmqtt_client *client, int *error) {
  if (mosquitto.socket(client->mosquitto) < 0) {
    gate_drain(&client->gate);
    return ERROR_NO_CONNECTION;
  }
  struct ssl *ssl = ssl_of(client);
  bool is_encrypting = ssl && !gate_tls.is_finished(ssl);
  *error = gate_connect(&client->gate);
  if (*error == EINPROGRESS) return 0;
  if (*error) return end_of_connection(ERROR_ERRNO, *error, is_encrypting);
  current = client;
  int code = read_all(client);
  if (!code && mosquitto.want_write(client->mosquitto)) code = mosquitto.loop_write(client->mosquitto, 1);
  if (!code) code = mosquitto.loop_misc(client->mosquitto);
  *error = errno;
  gate_drain(&client->gate);
  if (!code && !mosquitto.want_write(client->mosquitto)) gate_acknowledge(&client->gate, ssl_of(client));
  current = NULL;
  return end_of_connection(code, *error, is_encrypting);
}

int cmqtt_descriptor(struct cmqtt_client *client) {
  return mosquitto.socket(client->mosquitto) < 0 && !gate_has_output(&client->gate) ? -1 : client->gate.outside;
}

bool cmqtt_wants_write(struct cmqtt_client *client) {
  return !client->gate.is_connected || mosquitto.want_write(client->mosquitto) || gate_has_output(&client->gate);
}

size_t cmqtt_refused_size(struct cmqtt_client *client) { return client->gate.refused; }

void cmqtt_disconnect(struct cmqtt_client *client) {
  mosquitto.disconnect(client->mosquitto);
  gate_drain(&client->gate);
}

void cmqtt_free(struct cmqtt_client *client) {
  mosquitto.destroy(client->mosquitto);
  gate_drain(&client->gate);
  gate_close(&client->gate);
  free(client);
}

const char *cmqtt_certificate_fault(struct cmqtt_client *client) {
  // In some cases the object is not freed.
  struct ssl *ssl = has_tls && !client->fault ? tls.of(client->mosquitto) : NULL;
  if (ssl) client->fault = tls.get_verify_result(ssl);
  if (client->fault == UNSPECIFIED_FAULT) return "it is for another name";  // the check that the library itself makes
  return client->fault ? tls.verify_text(client->fault) : NULL;
}

bool cmqtt_certificate_days(struct cmqtt_client *client, int *days) {
  struct ssl *ssl = has_tls ? tls.of(client->mosquitto) : NULL;
  struct x509 *certificate = ssl ? tls.peer(ssl) : NULL;
  if (!certificate) return false;
  int seconds = 0;
  bool is_known = tls.difference(days, &seconds, NULL, tls.not_after(certificate)) == 1;
  tls.free(certificate);
  return is_known;
}

const char *cmqtt_text(int code) { return mosquitto.strerror(code); }

const char *cmqtt_refusal_text(int code) { return mosquitto.connack_string(code); }
