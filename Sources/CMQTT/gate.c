#define _GNU_SOURCE
#include "gate.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

// MQTT 3.1.1, section 2.2: the kind of a packet and its flags, followed by the length of the rest in up to four bytes.
enum { PUBLISH = 0x30, PUBACK = 0x40, KIND = 0xF0, QUALITY = 0x06, QUALITY_1 = 0x02, RETAINED = 0x01, CONTINUED = 0x80 };
// TLS 1.3 (RFC 8446), section 5.1: the size of a record's header, and the range of kinds.
enum { RECORD_HEADER = 5, FIRST_KIND = 20, LAST_KIND = 24 };

int gate_open(struct gate *gate, int socket) {
  int ends[2];
  gate->outside = gate->inside = -1;
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) != 0) return errno;
  gate->outside = fcntl(socket, F_DUPFD_CLOEXEC, 3);
  gate->inside = ends[1];
  int error = gate->outside < 0 || dup3(ends[0], socket, O_CLOEXEC) < 0 ? errno : 0;
  close(ends[0]);
  return error;
}

void gate_close(struct gate *gate) {
  if (gate->inside >= 0) close(gate->inside);
  if (gate->outside >= 0) close(gate->outside);
  gate->inside = gate->outside = -1;
}

int gate_connect(struct gate *gate) {
  if (gate->is_connected) return 0;
  struct pollfd ready = {gate->outside, POLLOUT, 0};
  if (poll(&ready, 1, 0) <= 0) return EINPROGRESS;
  int error = 0;
  socklen_t length = sizeof error;
  if (getsockopt(gate->outside, SOL_SOCKET, SO_ERROR, &error, &length) != 0) return errno;
  gate->is_connected = error == 0;
  return error;
}

// Reads from the connection without blocking. Returns the number of bytes, 0 if none have arrived, -1 at the end of the
// connection.
static ssize_t take(struct gate *gate, void *bytes, size_t count) {
  ssize_t length = recv(gate->outside, bytes, count, MSG_DONTWAIT);
  if (length > 0) return length;
  return length < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) ? 0 : -1;
}

static enum gate_result end(struct gate *gate) {
  if (!gate->has_ended) shutdown(gate->inside, SHUT_WR);
  gate->has_ended = true;
  return GATE_ENDED;
}

static enum gate_result refuse(struct gate *gate, uint64_t size) {
  gate->refused = size;
  return GATE_REFUSED;
}

// Passes bytes to the library, which has read all earlier ones. A local socket's buffer is larger than any piece, so
// this never blocks.
static bool give(struct gate *gate, const void *bytes, size_t count) {
  return send(gate->inside, bytes, count, MSG_DONTWAIT | MSG_NOSIGNAL) == (ssize_t)count;
}

// MARK: Packets

enum header_state { HEADER_INCOMPLETE, HEADER_PASSES, HEADER_TOO_LONG, HEADER_WRONG };

// Adds a byte to the fixed header of the next packet.
static enum header_state add_to_header(struct gate *gate, uint8_t byte) {
  gate->header[gate->header_length++] = byte;
  if (gate->header_length == 1) {
    // The client never subscribes with quality of service 2. The library would store such messages until the broker
    // releases them.
    return (byte & KIND) == PUBLISH && (byte & QUALITY) > QUALITY_1 ? HEADER_WRONG : HEADER_INCOMPLETE;
  }
  if (byte & CONTINUED) return gate->header_length == sizeof gate->header ? HEADER_WRONG : HEADER_INCOMPLETE;
  uint64_t rest = 0;
  for (int place = gate->header_length - 1; place > 0; place--) rest = rest << 7 | (gate->header[place] & 0x7F);
  gate->left = rest;
  if (rest <= GATE_LONGEST_PACKET) return HEADER_PASSES;
  gate->size = rest;
  return (gate->header[0] & KIND) == PUBLISH ? HEADER_TOO_LONG : HEADER_WRONG;
}

static void begin_skipping(struct gate *gate) {
  gate->is_skipping = true;
  gate->offset = gate->topic_length = gate->identifier = 0;
}

// Drops the next bytes of a message. Returns the number of dropped bytes.
static size_t skip(struct gate *gate, const uint8_t *bytes, size_t count) {
  size_t skipped = count < gate->left ? count : gate->left;
  for (size_t place = 0; place < skipped; place++, gate->offset++) {
    uint64_t end_of_topic = 2 + (uint64_t)gate->topic_length;
    if (gate->offset < 2) {
      gate->topic_length = gate->topic_length << 8 | bytes[place];
    } else if (gate->offset < end_of_topic) {
      if (gate->offset - 2 < sizeof gate->topic - 1) gate->topic[gate->offset - 2] = (char)bytes[place];
    } else if (gate->offset < end_of_topic + 2) {
      gate->identifier = (uint16_t)(gate->identifier << 8 | bytes[place]);
    } else {
      gate->offset += skipped - place;
      break;
    }
    if (gate->offset + 1 == 2 + (uint64_t)gate->topic_length && gate->offset > 0) {
      size_t length = gate->topic_length < sizeof gate->topic ? gate->topic_length : sizeof gate->topic - 1;
      gate->topic[length] = 0;
      gate->left_out(gate->owner, gate->topic, gate->size, gate->header[0] & RETAINED);
    }
  }
  gate->left -= skipped;
  if (gate->left > 0) return skipped;
  gate->is_skipping = false;
  gate->header_length = 0;
  bool needs_answer = (gate->header[0] & QUALITY) == QUALITY_1;
  int most = sizeof gate->acknowledged / sizeof *gate->acknowledged;
  // The broker limits the number of messages that wait for an acknowledgement. It sends a message that was never
  // acknowledged again in the next connection.
  if (needs_answer && gate->acknowledged_count < most) gate->acknowledged[gate->acknowledged_count++] = gate->identifier;
  return skipped;
}

// MARK: Unencrypted connections

static enum gate_result fill_plain(struct gate *gate) {
  uint8_t *bytes = gate->plain;
  ssize_t count = take(gate, bytes, 4096);
  if (count < 0) return end(gate);
  if (count == 0) return GATE_NOTHING;
  // The header of a packet is passed on after it is complete.
  uint8_t passing[4096 + sizeof gate->header];
  size_t length = 0;
  for (ssize_t place = 0; place < count;) {
    size_t rest = (size_t)(count - place);
    if (gate->is_skipping) {
      place += (ssize_t)skip(gate, bytes + place, rest);
    } else if (gate->left > 0) {
      size_t part = rest < gate->left ? rest : gate->left;
      memcpy(passing + length, bytes + place, part);
      length += part;
      gate->left -= part;
      place += (ssize_t)part;
      if (gate->left == 0) gate->header_length = 0;
    } else {
      switch (add_to_header(gate, bytes[place++])) {
        case HEADER_INCOMPLETE: break;
        case HEADER_PASSES:
          memcpy(passing + length, gate->header, (size_t)gate->header_length);
          length += (size_t)gate->header_length;
          if (gate->left == 0) gate->header_length = 0;
          break;
        case HEADER_TOO_LONG: begin_skipping(gate); break;
        case HEADER_WRONG: return refuse(gate, gate->left);
      }
    }
  }
  if (length == 0) return GATE_LEFT_OUT;
  return give(gate, passing, length) ? GATE_BROUGHT : end(gate);
}

// MARK: Encrypted connections

// Inspects the content of a record before the library reads it. The gate itself reads the bytes of a dropped message.
static enum gate_result examine(struct gate *gate, struct ssl *ssl) {
  int count = gate->tls->peek(ssl, gate->plain, sizeof gate->plain);
  // The record has no application data, or is damaged; the library handles both.
  if (count <= 0) return GATE_BROUGHT;
  int begin = 0;  // the place at which the library reads on
  for (int place = 0; place < count;) {
    size_t rest = (size_t)(count - place);
    if (gate->is_skipping) {
      size_t part = skip(gate, gate->plain + place, rest);
      for (int taken = 0; taken < (int)part;) {
        uint8_t dropped[1024];
        int most = (int)part - taken < (int)sizeof dropped ? (int)part - taken : (int)sizeof dropped;
        int length = gate->tls->read(ssl, dropped, most);
        if (length <= 0) return refuse(gate, gate->size);
        taken += length;
      }
      place += (int)part;
      begin = place;
    } else if (gate->left > 0) {
      size_t part = rest < gate->left ? rest : gate->left;
      gate->left -= part;
      place += (int)part;
      if (gate->left == 0) gate->header_length = 0;
    } else {
      switch (add_to_header(gate, gate->plain[place++])) {
        case HEADER_INCOMPLETE: break;
        case HEADER_PASSES:
          if (gate->left == 0) gate->header_length = 0;
          break;
        case HEADER_TOO_LONG:
          // The gate can read a packet in place of the library only if the library has read everything before it.
          if (place - gate->header_length != begin) return refuse(gate, gate->left);
          if (gate->tls->read(ssl, gate->plain + begin, gate->header_length) != gate->header_length)
            return refuse(gate, gate->left);
          begin_skipping(gate);
          break;
        case HEADER_WRONG: return refuse(gate, gate->left);
      }
    }
  }
  return begin < count ? GATE_BROUGHT : GATE_LEFT_OUT;
}

// Reads until a record is complete. Returns 1 if it is, 0 if bytes are missing, -1 at the end of the connection.
static int read_record(struct gate *gate) {
  while (true) {
    size_t whole = RECORD_HEADER;
    if (gate->record_length >= RECORD_HEADER)
      whole += (size_t)gate->record[3] << 8 | gate->record[4];
    if (gate->record_length == whole && whole > RECORD_HEADER) return 1;
    bool is_record = gate->record_length == 0 || (gate->record[0] >= FIRST_KIND && gate->record[0] <= LAST_KIND);
    if (!is_record || whole > sizeof gate->record || (gate->record_length == RECORD_HEADER && whole == RECORD_HEADER)) {
      gate->is_raw = true;
      return 1;
    }
    ssize_t count = take(gate, gate->record + gate->record_length, whole - gate->record_length);
    if (count <= 0) return (int)count;
    gate->record_length += (size_t)count;
  }
}

static enum gate_result fill_encrypted(struct gate *gate, struct ssl *ssl) {
  if (gate->is_raw) {
    // A connection that began without TLS must not become an encrypted one that bypasses the inspection.
    if (gate->tls->is_finished(ssl)) return refuse(gate, 0);
    ssize_t count = take(gate, gate->record, 4096);
    if (count < 0) return end(gate);
    if (count == 0) return GATE_NOTHING;
    return give(gate, gate->record, (size_t)count) ? GATE_BROUGHT : end(gate);
  }
  if (gate->is_amid_record && gate->tls->is_finished(ssl)) gate->is_amid_record = false;
  if (gate->is_amid_record) {
    ssize_t count = take(gate, gate->record, 1);
    if (count < 0) return end(gate);
    if (count == 0) return GATE_NOTHING;
    return give(gate, gate->record, 1) ? GATE_BROUGHT : end(gate);
  }
  int state = read_record(gate);
  if (state < 0) {
    if (gate->record_length > 0) give(gate, gate->record, gate->record_length);
    gate->record_length = 0;
    return end(gate);
  }
  if (state == 0) return GATE_NOTHING;
  bool is_given = give(gate, gate->record, gate->record_length);
  gate->record_length = 0;
  if (!is_given) return end(gate);
  return !gate->is_raw && gate->tls->is_finished(ssl) ? examine(gate, ssl) : GATE_BROUGHT;
}

enum gate_result gate_fill(struct gate *gate, struct ssl *ssl) {
  if (gate->has_ended) return GATE_ENDED;
  return ssl ? fill_encrypted(gate, ssl) : fill_plain(gate);
}

int gate_unread(const struct gate *gate, int socket, struct ssl *ssl) {
  int count = 0;
  if (socket < 0 || ioctl(socket, FIONREAD, &count) != 0) return 0;
  return count + (ssl ? gate->tls->pending(ssl) : 0);
}

// MARK: Output

void gate_drain(struct gate *gate) {
  if (!gate->is_connected) return;
  while (true) {
    if (gate->out_begin == gate->out_end) {
      ssize_t count = recv(gate->inside, gate->out, sizeof gate->out, MSG_DONTWAIT);
      if (count <= 0) return;
      gate->out_begin = 0;
      gate->out_end = (size_t)count;
    }
    ssize_t sent = send(
        gate->outside, gate->out + gate->out_begin, gate->out_end - gate->out_begin, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent < 0) {
      // The next read reports a broken connection.
      if (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) gate->out_begin = gate->out_end = 0;
      return;
    }
    gate->out_begin += (size_t)sent;
  }
}

bool gate_has_output(struct gate *gate) {
  int count = 0;
  return gate->out_begin < gate->out_end || (ioctl(gate->inside, FIONREAD, &count) == 0 && count > 0);
}

void gate_acknowledge(struct gate *gate, struct ssl *ssl) {
  if (gate->acknowledged_count == 0 || gate_has_output(gate)) return;
  gate->out_begin = gate->out_end = 0;
  for (int place = 0; place < gate->acknowledged_count; place++) {
    uint16_t identifier = gate->acknowledged[place];
    uint8_t packet[] = {PUBACK, 2, (uint8_t)(identifier >> 8), (uint8_t)identifier};
    if (ssl) {
      if (gate->tls->write(ssl, packet, sizeof packet) != sizeof packet) break;
    } else {
      memcpy(gate->out + gate->out_end, packet, sizeof packet);
      gate->out_end += sizeof packet;
    }
  }
  gate->acknowledged_count = 0;
  gate_drain(gate);
}
