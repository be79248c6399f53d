// A client of an MQTT 3.1.1 broker in a caller's loop, on one thread: libmosquitto, which is loaded when it is needed.
//
// A function that can fail returns 0 when all went well, otherwise one of libmosquitto's MOSQ_ERR codes, which are positive, or
// CMQTT_NO_LIBRARY.
#ifndef CMQTT_H
#define CMQTT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The file that is loaded: the same one on Debian 12 (2.0.11) and 13 (2.0.21).
#define CMQTT_LIBRARY "libmosquitto.so.1"

enum { CMQTT_NO_LIBRARY = -1000 };

struct cmqtt_client;

// Called by cmqtt_exchange only.
struct cmqtt_calls {
  void *owner;
  // The broker has answered the CONNECT: 0 if it has accepted it, otherwise the code of the standard, table 3.1.
  void (*connected)(void *owner, int code);
  // The broker has answered the SUBSCRIBE with this identifier; `refused` is the place of the first filter that it doesn't allow, or -1.
  void (*subscribed)(void *owner, int identifier, int refused);
  // The broker has acknowledged the message with this identifier.
  void (*delivered)(void *owner, int identifier);
  void (*heard)(void *owner, const char *topic, const uint8_t *payload, size_t count, bool is_retained);
};

// Texts that are not needed are NULL.
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

// Begins a connection. May take as long as the name server takes. `error` gets an errno if MOSQ_ERR_ERRNO (14) is returned. `client` has to be
// freed whatever is returned, unless it is NULL.
int cmqtt_connect(
    const struct cmqtt_settings *settings, const struct cmqtt_calls *calls, struct cmqtt_client **client, int *error);

int cmqtt_subscribe(
    struct cmqtt_client *client, const char *const *filters, int count, int quality, int *identifier);
int cmqtt_unsubscribe(struct cmqtt_client *client, const char *const *filters, int count);
int cmqtt_publish(
    struct cmqtt_client *client, const char *topic, const void *payload, size_t count, int quality, bool is_retained,
    int *identifier);

// Reads what has come and writes what waits, without waiting for either.
int cmqtt_exchange(struct cmqtt_client *client, int *error);

// -1 without a connection.
int cmqtt_descriptor(struct cmqtt_client *client);
bool cmqtt_wants_write(struct cmqtt_client *client);

// Says goodbye; it is written by cmqtt_exchange.
void cmqtt_disconnect(struct cmqtt_client *client);
void cmqtt_free(struct cmqtt_client *client);

// Why the broker's certificate is not trusted, in the words of OpenSSL; NULL if it is, or the reason is another one. In memory that stays.
const char *cmqtt_certificate_fault(struct cmqtt_client *client);
// How many days it is valid from now on, less than 0 for one that has expired; false without one.
bool cmqtt_certificate_days(struct cmqtt_client *client, int *days);

// What a code of the library, and one of the broker's answer, mean; in memory that stays.
const char *cmqtt_text(int code);
const char *cmqtt_refusal_text(int code);

#endif
