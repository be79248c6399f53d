// What CGPIO does with the queues of libgpiod 1.6, on pipes in place of the kernel's queues and with a clock that a test sets. The code is that of
// CGPIO, compiled a second time.
#ifndef EDGE_QUEUES_H
#define EDGE_QUEUES_H

#include <stdbool.h>
#include <stdint.h>

struct edge_queues;

// A request of so many inputs with edges, 2 to 8; NULL if the system has no room for it.
struct edge_queues *edge_queues_new(unsigned count);
void edge_queues_free(struct edge_queues *queues);

// Moves the clock of all requests on this thread.
void edge_queues_set_clock(uint64_t nanoseconds);
// Adds an edge to the queue of a line, as the kernel does.
void edge_queues_add(struct edge_queues *queues, unsigned line, uint64_t nanoseconds);
// `read` is called after each reading of a line's queue.
void edge_queues_on_read(struct edge_queues *queues, void (*read)(void *owner), void *owner);
// cgpio_read_edges: the line of each edge, and its time stamp; returns how many there are.
int edge_queues_read(struct edge_queues *queues, uint32_t *lines, uint64_t *stamps, unsigned capacity);

// The edges that CGPIO requests from libgpiod, where functions in place of the library's note them.
//
// libgpiod 1.6: requests an input with the first of `edges` (enum cgpio_edges), then reconfigures it to each of the others.
// Stores the type of each request that is made, and returns their number, at most `count`.
unsigned edge_requests_first(const uint8_t *edges, unsigned count, int *types);
// libgpiod 2: the edge detection that is set for an input with these edges.
int edge_requests_second(uint8_t edges);

#endif
