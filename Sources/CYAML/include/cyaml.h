// The events of libyaml's parser (yaml.h) as a flat sequence. Nothing here recurses, however deep a document is nested.
#ifndef CYAML_H
#define CYAML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cyaml_parser;

// A place in the text. Lines and columns count from 0; columns count characters.
struct cyaml_mark {
  size_t line;
  size_t column;
};

enum cyaml_kind {
  CYAML_STREAM_START,
  CYAML_STREAM_END,
  CYAML_DOCUMENT_START,
  CYAML_DOCUMENT_END,
  CYAML_SCALAR,
  CYAML_ALIAS,
  CYAML_LIST_START,
  CYAML_MAP_START,
  CYAML_END,  // the end of the list or map that began last
};

struct cyaml_event {
  enum cyaml_kind kind;
  struct cyaml_mark start;
  struct cyaml_mark end;
  bool has_anchor;
  bool has_tag;
  // The bytes of a scalar in UTF-8, which are valid until the next event is read.
  const uint8_t *text;
  size_t length;
  bool is_plain;  // written without quotes and not as a block
  bool is_flow;   // for the start of a list or a map: whether it is written in [ ] or { }
};

// The reason why the text can't be read.
struct cyaml_fault {
  const char *problem;  // in libyaml's words; lives as long as the parser
  struct cyaml_mark at;
  bool has_context;     // whether the faulty construct began before `at`: at `context`
  struct cyaml_mark context;
};

// Parses `count` bytes of UTF-8, which must stay valid while the parser is used. Returns 0; -ENOMEM; or -ENOSYS if this
// was compiled without libyaml. Calls yaml_parser_initialize.
int cyaml_open(const uint8_t *bytes, size_t count, struct cyaml_parser **parser);
// Reads one event. Returns false, and fills in `fault`, if the text can't be read. Calls yaml_parser_parse.
bool cyaml_read(struct cyaml_parser *parser, struct cyaml_event *event, struct cyaml_fault *fault);
void cyaml_close(struct cyaml_parser *parser);

#endif
