// Stands between a connection and libmosquitto, which makes room for a packet of any length as soon as it has read how long it is: what
// comes is given to the library only when it is known that no longer packet begins in it.
//
//   broker  ──outside──  gate  ──inside──  socket of the library
//
// Of an encrypted connection the library gets one record at a time, and what is in it is looked at in the library's own memory before the library
// reads it.
#ifndef GATE_H
#define GATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmqtt.h"

// The longest packet that the library gets: more than any message that is looked at, with the longest topic.
enum { GATE_LONGEST_PACKET = CMQTT_LONGEST_PACKET };

enum gate_result {
  GATE_NOTHING,  // nothing has come
  GATE_LEFT_OUT, // what has come is not for the library
  GATE_BROUGHT,  // the library has something to read
  GATE_ENDED,    // the connection has ended: the library reads that
  GATE_REFUSED,  // what has come can't be given to the library nor left out: `refused` says how long it is, 0 for what is no MQTT
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
  const struct gate_tls *tls;  // NULL for a connection that is not encrypted
  uint64_t refused;

  // The packet that is passing: its fixed header as far as it has come, and how much of what follows is still to come.
  uint8_t header[5];
  int header_length;
  uint64_t left;

  // The message that is left out.
  bool is_skipping;
  uint64_t offset;  // in what follows its header
  uint64_t size;
  unsigned topic_length;
  char topic[128];  // what is longer is cut
  uint16_t identifier;
  // Messages that were left out and have to be acknowledged, by their identifiers.
  uint16_t acknowledged[16];
  int acknowledged_count;
  void (*left_out)(void *owner, const char *topic, size_t size, bool is_retained);
  void *owner;

  uint8_t record[5 + 18432];
  size_t record_length;
  bool is_raw;  // what comes is no TLS: the library says so
  // The library has read a part of a record already: until the handshake is finished it gets one byte at a time, and then what comes begins
  // with a record.
  bool is_amid_record;
  uint8_t plain[16384];

  // What the library has written and the network hasn't taken.
  uint8_t out[4096];
  size_t out_begin, out_end;
};

// Takes the connection of a socket, whose number is one end of the gate from then on. Returns 0 or an errno.
int gate_open(struct gate *, int socket);
void gate_close(struct gate *);

// Whether the connection is made: 0, EINPROGRESS, or why it isn't.
int gate_connect(struct gate *);

// Brings what has come next, once the library has read all before. `ssl` is NULL for a connection that is not encrypted.
enum gate_result gate_fill(struct gate *, struct ssl *ssl);
// How many bytes the library has not read.
int gate_unread(const struct gate *, int socket, struct ssl *ssl);

// Sends what the library has written, as far as the network takes it.
void gate_drain(struct gate *);
bool gate_has_output(struct gate *);
// Acknowledges messages that were left out; called while the library has nothing to write.
void gate_acknowledge(struct gate *, struct ssl *ssl);

#endif
