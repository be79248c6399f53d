// A client of an MQTT 3.1.1 broker in a caller's loop, on one thread. It uses libmosquitto, which is loaded when it is
// needed.
//
// A function that can fail returns 0 on success. On failure it returns one of libmosquitto's MOSQ_ERR codes, which are
// positive, or CMQTT_NO_LIBRARY or CMQTT_TOO_LONG.
#ifndef CMQTT_H
#define CMQTT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The file to load: the same on Debian 12 (2.0.11) and 13 (2.0.21).
#define CMQTT_LIBRARY "libmosquitto.so.1"

enum { CMQTT_NO_LIBRARY = -1000, CMQTT_TOO_LONG = -1001 };

// The length in bytes of the longest packet that the library gets, without its fixed header. A longer message is
// dropped while it arrives: it takes no memory.
enum { CMQTT_LONGEST_PACKET = 131072 };

struct cmqtt_client;

// Called only by cmqtt_exchange.
struct cmqtt_calls {
  void *owner;
  // The broker has answered the CONNECT. `code` is 0 if it has accepted it, or a code of the standard, table 3.1.
  void (*connected)(void *owner, int code);
  // The broker has answered the SUBSCRIBE with this identifier. `refused` is the place of the first rejected filter, or
  // -1.
  void (*subscribed)(void *owner, int identifier, int refused);
  // The broker has acknowledged the message with this identifier.
  void (*delivered)(void *owner, int identifier);
  void (*heard)(void *owner, const char *topic, const uint8_t *payload, size_t count, bool is_retained);
  // A message was dropped. `size` is the length of its packet in bytes; `topic` contains the first 127 bytes of its
  // topic.
  void (*left_out)(void *owner, const char *topic, size_t size, bool is_retained);
};

// Unused texts are NULL.
struct cmqtt_settings {
  const char *host;
  int port;
  const char *client;
  int keepalive;  // seconds
  const char *user, *password;
  const char *will_topic, *will_payload;
  bool has_tls;
  const char *authorities;         // a PEM file; NULL for those of the system
  const char *certificate, *key;   // PEM files of the client
  bool accepts_any_certificate;
};

// Loads the library.
int cmqtt_load(void);

// Begins a connection. May block for as long as the name server takes. `error` gets an errno if MOSQ_ERR_ERRNO (14) is
// returned. `client` must be freed after any result, unless it is NULL.
int cmqtt_connect(
    const struct cmqtt_settings *settings, const struct cmqtt_calls *calls, struct cmqtt_client **client, int *error);

int cmqtt_subscribe(
    struct cmqtt_client *client, const char *const *filters, int count, int quality, int *identifier);
int cmqtt_unsubscribe(struct cmqtt_client *client, const char *const *filters, int count);
int cmqtt_publish(
    struct cmqtt_client *client, const char *topic, const void *payload, size_t count, int quality, bool is_retained,
    int *identifier);

// Reads bytes that have arrived and writes waiting ones, without blocking.
int cmqtt_exchange(struct cmqtt_client *client, int *error);

// Returns the length in bytes of the packet for which cmqtt_exchange has returned CMQTT_TOO_LONG.
size_t cmqtt_refused_size(struct cmqtt_client *client);

// Returns the descriptor of the connection; -1 without a connection.
int cmqtt_descriptor(struct cmqtt_client *client);
bool cmqtt_wants_write(struct cmqtt_client *client);

// Queues a DISCONNECT packet; cmqtt_exchange writes it.
void cmqtt_disconnect(struct cmqtt_client *client);
void cmqtt_free(struct cmqtt_client *client);

// Returns why the broker's certificate is not trusted, in the words of OpenSSL, as a static string. NULL if it is
// trusted, or if there is another reason.
const char *cmqtt_certificate_fault(struct cmqtt_client *client);
// Sets the number of days for which the certificate is still valid, below 0 if it has expired. Returns false without a
// certificate.
bool cmqtt_certificate_days(struct cmqtt_client *client, int *days);

// Return the texts of a code of the library, and of a code of the broker's answer, as static strings.
const char *cmqtt_text(int code);
const char *cmqtt_refusal_text(int code);

#endif
