#include "edge_queues.h"

// CGPIO's own code, under names of its own.
#define gpiod1 edge_requests_gpiod1
#define cgpio_request_places edge_requests_request_places
#define cgpio_release_places edge_requests_release_places
#define cgpio_make_poll_descriptor edge_requests_make_poll_descriptor
#define cgpio_unpack_values edge_requests_unpack_values
#define cgpio_save_edges edge_requests_save_edges
#define cgpio_libgpiod1_reconfigure edge_requests_reconfigure
#include "../../Sources/CGPIO/libgpiod1_requests.c"

static _Thread_local struct {
  int *types;
  unsigned count;
  unsigned most;
  int descriptor;
} noted;

static void note(const struct gpiod_line_request_config *config) {
  if (noted.count < noted.most) noted.types[noted.count++] = config->request_type;
}

static int request_one(struct gpiod_line *line, const struct gpiod_line_request_config *config, int value) {
  (void)line, (void)value;
  note(config);
  noted.descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC);
  return 0;
}

static int request_bulk(
    struct gpiod_line_bulk *lines, const struct gpiod_line_request_config *config, const int *values) {
  (void)lines, (void)values;
  note(config);
  return 0;
}

static int descriptor_of(struct gpiod_line *line) {
  (void)line;
  return noted.descriptor;
}

static void release_one(struct gpiod_line *line) {
  (void)line;
  close(noted.descriptor);
}

static void release_bulk(struct gpiod_line_bulk *lines) { (void)lines; }

void cgpio_save_edges(struct queue *queue) { (void)queue; }

struct gpiod1 edge_requests_gpiod1 = {
    .line_request = request_one,
    .line_request_bulk = request_bulk,
    .line_event_get_fd = descriptor_of,
    .line_release = release_one,
    .line_release_bulk = release_bulk,
};

unsigned edge_requests_first(const uint8_t *edges, unsigned count, int *types) {
  char path[] = "/dev/null";
  struct cgpio_chip chip = {.path = path};
  struct cgpio_request request = {.chip = &chip, .count = 1, .descriptor = -1};
  struct cgpio_line line = {.edges = edges[0]};
  const char *failed;
  noted.types = types;
  noted.count = 0;
  noted.most = count;
  request.lines[0] = (struct gpiod_line *)&line;
  int error = cgpio_request_places(&request, &line, 1, &failed);
  if (!error) error = cgpio_make_poll_descriptor(&request, &failed);
  for (unsigned index = 1; index < count && !error; index++) {
    line.edges = edges[index];
    error = cgpio_libgpiod1_reconfigure(&request, &line, &failed);
  }
  cgpio_release_places(&request, 1);
  if (request.owns_descriptor) close(request.descriptor);
  free(request.queues[0]);
  return noted.count;
}
