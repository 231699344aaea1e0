// The bytes of a fuzzer, taken from front to back.
#ifndef INPUT_H
#define INPUT_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct input {
  const uint8_t *bytes;
  size_t size;
};

// 0 at the end.
static inline uint8_t take_byte(struct input *input) {
  if (input->size == 0) return 0;
  input->size--;
  return *input->bytes++;
}

// Copies up to `size` bytes to memory of exactly their length, so that the sanitizer sees a read past the end. One zero
// byte follows if `is_text`. The caller frees it.
static inline uint8_t *take_copy(struct input *input, size_t *size, int is_text) {
  if (*size > input->size) *size = input->size;
  uint8_t *copy = malloc(*size + (is_text ? 1 : 0));
  if (!copy) abort();
  if (*size > 0) memcpy(copy, input->bytes, *size);
  if (is_text) copy[*size] = 0;
  input->bytes += *size;
  input->size -= *size;
  return copy;
}

// The next line, without its line feed. The caller frees it.
static inline char *take_line(struct input *input, size_t *size) {
  const uint8_t *end = input->size > 0 ? memchr(input->bytes, '\n', input->size) : NULL;
  *size = end ? (size_t)(end - input->bytes) : input->size;
  char *line = (char *)take_copy(input, size, 1);
  take_byte(input);
  return line;
}

#endif
