#include "cyaml.h"

#include <errno.h>

#if __has_include(<yaml.h>)

#include <stdlib.h>
#include <yaml.h>

struct cyaml_parser {
  yaml_parser_t parser;
  yaml_event_t event;  // zeros, or the last event that was read
};

int cyaml_open(const uint8_t *bytes, size_t count, struct cyaml_parser **parser) {
  struct cyaml_parser *opened = calloc(1, sizeof *opened);
  if (opened == NULL) return -ENOMEM;
  if (!yaml_parser_initialize(&opened->parser)) {
    free(opened);
    return -ENOMEM;
  }
  yaml_parser_set_encoding(&opened->parser, YAML_UTF8_ENCODING);
  yaml_parser_set_input_string(&opened->parser, bytes, count);
  *parser = opened;
  return 0;
}

void cyaml_close(struct cyaml_parser *parser) {
  yaml_event_delete(&parser->event);
  yaml_parser_delete(&parser->parser);
  free(parser);
}

static struct cyaml_mark mark_of(yaml_mark_t mark) {
  return (struct cyaml_mark){.line = mark.line, .column = mark.column};
}

bool cyaml_read(struct cyaml_parser *opened, struct cyaml_event *event, struct cyaml_fault *fault) {
  yaml_parser_t *parser = &opened->parser;
  yaml_event_t *read = &opened->event;
  yaml_event_delete(read);
  if (!yaml_parser_parse(parser, read)) {
    *fault = (struct cyaml_fault){
        .problem = parser->problem,
        .at = mark_of(parser->problem_mark),
        .has_context = parser->context_mark.index > 0,
        .context = mark_of(parser->context_mark)};
    return false;
  }
  *event = (struct cyaml_event){.start = mark_of(read->start_mark), .end = mark_of(read->end_mark)};
  switch (read->type) {
    case YAML_NO_EVENT:
    case YAML_STREAM_START_EVENT: event->kind = CYAML_STREAM_START; break;
    case YAML_STREAM_END_EVENT: event->kind = CYAML_STREAM_END; break;
    case YAML_DOCUMENT_START_EVENT: event->kind = CYAML_DOCUMENT_START; break;
    case YAML_DOCUMENT_END_EVENT: event->kind = CYAML_DOCUMENT_END; break;
    case YAML_ALIAS_EVENT: event->kind = CYAML_ALIAS; break;
    case YAML_SCALAR_EVENT:
      event->kind = CYAML_SCALAR;
      event->has_anchor = read->data.scalar.anchor != NULL;
      event->has_tag = read->data.scalar.tag != NULL;
      event->text = read->data.scalar.value;
      event->length = read->data.scalar.length;
      event->is_plain = read->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
      break;
    case YAML_SEQUENCE_START_EVENT:
      event->kind = CYAML_LIST_START;
      event->has_anchor = read->data.sequence_start.anchor != NULL;
      event->has_tag = read->data.sequence_start.tag != NULL;
      event->is_flow = read->data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE;
      break;
    case YAML_MAPPING_START_EVENT:
      event->kind = CYAML_MAP_START;
      event->has_anchor = read->data.mapping_start.anchor != NULL;
      event->has_tag = read->data.mapping_start.tag != NULL;
      event->is_flow = read->data.mapping_start.style == YAML_FLOW_MAPPING_STYLE;
      break;
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT: event->kind = CYAML_END; break;
  }
  return true;
}

#else

int cyaml_open(const uint8_t *bytes, size_t count, struct cyaml_parser **parser) {
  (void)bytes;
  (void)count;
  (void)parser;
  return -ENOSYS;
}

void cyaml_close(struct cyaml_parser *parser) { (void)parser; }

bool cyaml_read(struct cyaml_parser *parser, struct cyaml_event *event, struct cyaml_fault *fault) {
  (void)parser;
  (void)event;
  (void)fault;
  return false;
}

#endif
