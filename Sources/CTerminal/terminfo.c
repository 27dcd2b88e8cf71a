#define _GNU_SOURCE
#define _DARWIN_C_SOURCE
#define NCURSES_WIDECHAR 1
#include "CTerminal.h"
#if __has_include(<ncursesw/ncurses.h>)
#include <ncursesw/ncurses.h>
#include <ncursesw/term.h>
#else
#include <ncurses.h>
#include <term.h>
#endif
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

int ct_check_type(const char *name, int fd) {
  int failure = 0;
  if (setupterm(name, fd, &failure) != OK) return failure < 0 ? -1 : failure == 1 ? -2 : 0;
  const char *place = tigetstr("cup");
  int result = place && place != (char *)-1 ? 1 : -2;
  del_curterm(cur_term);
  return result;
}

/* Copies a capability without its padding delays, which current terminals do not need. */
static size_t copy_undelayed(const char *text, char *out, size_t room) {
  size_t length = 0;
  while (*text && length < room) {
    const char *end = text[0] == '$' && text[1] == '<' ? strchr(text, '>') : NULL;
    if (end) text = end + 1;
    else out[length++] = *text++;
  }
  return length;
}

size_t ct_capability(const char *name, char *out, size_t room) {
  const char *text = tigetstr(name);
  if (!text || text == (char *)-1) return 0;
  return copy_undelayed(text, out, room);
}

void ct_keep_palette(void) {
  /* `oc` resets the palette. ncurses sends its own copy of the string, which may be changed. */
  char *reset = tigetstr("oc");
  if (reset && reset != (char *)-1) *reset = 0;
}

size_t ct_cursor_address(int row, int column, char *out, size_t room) {
  const char *place = tigetstr("cup");
  if (!place || place == (char *)-1) return 0;
  const char *text = tgoto(place, column, row);
  return text ? copy_undelayed(text, out, room) : 0;
}

/* ---- A compiled entry, as in term(5) ----

   | magic 01036 | bytes of names | booleans | numbers | strings | bytes of strings |   six int16
   | names \0 | booleans, a byte each | (pad to even) | numbers, int32 each |
   | offsets of strings, int16 each | strings \0 |
   then the same again for names that the program adds: the boolean RGB for 24-bit colors.   */

enum { magic = 01036, most_strings = 414, most_numbers = 39, most_booleans = 44, room = 16384 };

/* The colors of a terminal with 24-bit colors. The first 16 are those of the palette. */
static const char direct_foreground[] =
    "\033[%?%p1%{8}%<%t3%p1%d%e%?%p1%{16}%<%t9%p1%{8}%-%d%e38;2;%p1%{65536}%/%d;%p1%{256}%/"
    "%{255}%&%d;%p1%{255}%&%d%;%;m";
static const char direct_background[] =
    "\033[%?%p1%{8}%<%t4%p1%d%e%?%p1%{16}%<%t10%p1%{8}%-%d%e48;2;%p1%{65536}%/%d;%p1%{256}%/"
    "%{255}%&%d;%p1%{255}%&%d%;%;m";

typedef struct {
  unsigned char bytes[room];
  size_t used;
} entry;

static void put(entry *to, const void *bytes, size_t length) {
  if (to->used + length <= room) memcpy(to->bytes + to->used, bytes, length);
  to->used += length;
}

static void put_int(entry *to, int32_t value, int size) {
  for (int i = 0; i < size; i++) {
    unsigned char byte = (unsigned char)((uint32_t)value >> (8 * i));
    put(to, &byte, 1);
  }
}

/* The form that a terminal with 256 colors accepts for all of them. Most entries prefer shorter forms
   for the first 16, by a condition that ncurses evaluates for each change of colors. */
static const char foreground[] = "\033[38;5;%p1%dm", background[] = "\033[48;5;%p1%dm";

static const char *simple_color(const char *text, const char *form, const char *simple) {
  return text && strstr(text, form) ? simple : text;
}

static bool is_in(const char *const *names, size_t count, const char *name) {
  for (size_t i = 0; i < count; i++)
    if (!strcmp(name, names[i])) return true;
  return false;
}

static const char *changed_string(const char *name, bool is_direct) {
  /* ncurses would evaluate several of these moves for each position, which takes longer than sending
     the few bytes that they save. */
  static const char *const moves[] = {"hpa", "vpa", "cuu", "cud", "cuf", "cub"};
  static const char *const palette[] = {"initc", "initp", "oc", "setf", "setb", "scp"};
  bool is_foreground = !strcmp(name, "setaf"), is_background = !strcmp(name, "setab");
  if (is_direct && is_foreground) return direct_foreground;
  if (is_direct && is_background) return direct_background;
  if (is_in(moves, sizeof moves / sizeof *moves, name)) return NULL;
  if (is_in(palette, sizeof palette / sizeof *palette, name)) return NULL;
  const char *text = tigetstr((char *)name);
  if (text == (char *)-1) return NULL;
  if (is_foreground) return simple_color(text, "38;5;%p1%d", foreground);
  if (is_background) return simple_color(text, "48;5;%p1%d", background);
  return text;
}

static int32_t changed_number(const char *name, bool is_direct) {
  if (is_direct && !strcmp(name, "colors")) return 0x1000000;
  if (is_direct && !strcmp(name, "pairs")) return 0x10000;
  int value = tigetnum((char *)name);
  return value < 0 ? -1 : value;
}

static void put_strings(entry *to, entry *table, int strings, bool is_direct) {
  for (int i = 0; i < strings; i++) {
    const char *text = changed_string(strnames[i], is_direct);
    put_int(to, text ? (int32_t)table->used : -1, 2);
    if (text) put(table, text, strlen(text) + 1);
  }
}

static int length_of(const char *const *names, int most) {
  int length = 0;
  while (length < most && names[length]) length++;
  return length;
}

static void compile(entry *to, const char *name, bool is_direct) {
  static entry table;
  table.used = 0;
  int booleans = length_of((const char *const *)boolnames, most_booleans);
  int numbers = length_of((const char *const *)numnames, most_numbers);
  int strings = length_of((const char *const *)strnames, most_strings);
  entry *offsets = calloc(1, sizeof *offsets);
  if (!offsets) return;
  put_strings(offsets, &table, strings, is_direct);
  size_t names = strlen(name) + 1;
  const int32_t head[] = {magic, (int32_t)names, booleans, numbers, strings, (int32_t)table.used};
  for (int i = 0; i < 6; i++) put_int(to, head[i], 2);
  put(to, name, names);
  for (int i = 0; i < booleans; i++) {
    int value = strcmp(boolnames[i], "ccc") ? tigetflag((char *)boolnames[i]) : 0;
    put_int(to, value > 0, 1);
  }
  if (to->used % 2) put_int(to, 0, 1);
  for (int i = 0; i < numbers; i++) put_int(to, changed_number(numnames[i], is_direct), 4);
  put(to, offsets->bytes, offsets->used);
  put(to, table.bytes, table.used);
  free(offsets);
  if (!is_direct) return;
  if (to->used % 2) put_int(to, 0, 1);
  /* The extended section: one boolean, no number, no string, and one name of four bytes. */
  const int32_t more[] = {1, 0, 0, 1, 4};
  for (int i = 0; i < 5; i++) put_int(to, more[i], 2);
  put_int(to, 1, 1);
  put_int(to, 0, 1);
  put_int(to, 0, 2);
  put(to, "RGB", 4);
}

char *ct_terminfo_entry(const char *name, int fd, bool is_direct) {
  static const char digits[] = "0123456789ABCDEF";
  int failure = 0;
  if (setupterm(name, fd, &failure) != OK) return NULL;
  char *text = NULL;
  entry *compiled = calloc(1, sizeof *compiled);
  if (compiled && tigetnum("colors") >= (is_direct ? 8 : 256) && tigetstr("setaf")) {
    compile(compiled, name, is_direct);
    text = compiled->used <= room ? malloc(5 + 2 * compiled->used) : NULL;
    char *end = text ? stpcpy(text, "hex:") : NULL;
    for (size_t i = 0; text && i < compiled->used; i++) {
      *end++ = digits[compiled->bytes[i] >> 4];
      *end++ = digits[compiled->bytes[i] & 15];
    }
    if (end) *end = 0;
  }
  free(compiled);
  del_curterm(cur_term);
  return text;
}
