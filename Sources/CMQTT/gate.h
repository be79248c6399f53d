// A filter between a connection and libmosquitto. The library allocates memory for a packet of any length as soon as it
// has read the length. The gate passes bytes on only after it has read the header of their packet, and drops messages
// that are too long.
//
//   broker  ──outside──  gate  ──inside──  socket of the library
//
// From an encrypted connection the library gets one TLS record at a time. The gate inspects the decrypted record with
// SSL_peek before the library reads it.
#ifndef GATE_H
#define GATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmqtt.h"

// The length in bytes of the longest packet that is passed on. It is more than the longest processed message with the
// longest topic.
enum { GATE_LONGEST_PACKET = CMQTT_LONGEST_PACKET };

enum gate_result {
  GATE_NOTHING,  // no bytes have arrived
  GATE_LEFT_OUT, // all bytes that have arrived belong to dropped messages
  GATE_BROUGHT,  // the library has bytes to read
  GATE_ENDED,    // the connection has ended; the library reads an end of file
  GATE_REFUSED,  // a packet is neither passed on nor dropped; `refused` is its length in bytes, 0 if it isn't MQTT
};

struct ssl;

// Functions of OpenSSL.
struct gate_tls {
  int (*peek)(struct ssl *, void *, int);
  int (*read)(struct ssl *, void *, int);
  int (*write)(struct ssl *, const void *, int);
  int (*pending)(const struct ssl *);
  int (*is_finished)(const struct ssl *);
};

struct gate {
  int outside, inside;  // -1 for none
  bool is_connected;
  bool has_ended;
  const struct gate_tls *tls;  // NULL for an unencrypted connection
  uint64_t refused;

  // The current packet: the bytes of its fixed header so far, and the number of missing bytes after the header.
  uint8_t header[5];
  int header_length;
  uint64_t left;

  // The message that is being dropped.
  bool is_skipping;
  uint64_t offset;  // in bytes, from the end of its header
  uint64_t size;
  unsigned topic_length;
  char topic[128];  // truncated to this length
  uint16_t identifier;
  // The packet identifiers of dropped messages that must be acknowledged.
  uint16_t acknowledged[16];
  int acknowledged_count;
  void (*left_out)(void *owner, const char *topic, size_t size, bool is_retained);
  void *owner;

  uint8_t record[5 + 18432];
  size_t record_length;
  bool is_raw;  // the peer does not send TLS; the library reports that error
  // Whether the library has already read a part of a record. It then gets one byte at a time until the handshake is
  // finished; the next byte begins a record.
  bool is_amid_record;
  uint8_t plain[16384];

  // Bytes that the library has written and the gate has not sent yet.
  uint8_t out[4096];
  size_t out_begin, out_end;
};

// Takes over the connection of a socket. The descriptor `socket` then refers to the library's end of the gate. Returns
// 0 or an errno.
int gate_open(struct gate *, int socket);
void gate_close(struct gate *);

// Returns 0 if the connection is established, EINPROGRESS while it is being established, or the errno of the failure.
int gate_connect(struct gate *);

// Reads the next bytes from the connection and passes them on. Call it after the library has read all earlier bytes.
// `ssl` is NULL for an unencrypted connection.
enum gate_result gate_fill(struct gate *, struct ssl *ssl);
// Returns the number of bytes that the library has not read yet.
int gate_unread(const struct gate *, int socket, struct ssl *ssl);

// Sends bytes that the library has written, without blocking.
void gate_drain(struct gate *);
bool gate_has_output(struct gate *);
// Acknowledges dropped messages. Call it while the library has nothing to write.
void gate_acknowledge(struct gate *, struct ssl *ssl);

#endif
