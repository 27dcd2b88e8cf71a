#pragma once
#define NCURSES_WIDECHAR 1
#if __has_include(<ncursesw/ncurses.h>)
#include <ncursesw/ncurses.h>
#else
#include <ncurses.h>
#endif

/* Wrappers for globals and macros, which Swift does not import. They also replace what older
   versions lack. */
static inline WINDOW *nc_stdscr(void) { return stdscr; }
static inline WINDOW *nc_curscr(void) { return curscr; }
static inline SCREEN *nc_newterm(const char *type, FILE *output) {
  return newterm((char *)type, output, stdin);
}
static inline FILE *nc_stdout(void) { return stdout; }
static inline int nc_colors(void) { return COLORS; }
static inline int nc_color_pairs(void) { return COLOR_PAIRS; }

static inline int nc_define_pair(int pair, int foreground, int background) {
#if defined(NCURSES_EXT_COLORS) && NCURSES_EXT_COLORS && NCURSES_VERSION_PATCH >= 20170401
  return init_extended_pair(pair, foreground, background);
#else
  return init_pair((short)pair, (short)foreground, (short)background);
#endif
}

/* The bits of a style's attributes, in the order of TerminalUI's Attributes. */
static inline attr_t nc_attributes(unsigned char bits) {
  attr_t result = 0;
  if (bits & 1) result |= A_BOLD;
  if (bits & 2) result |= A_DIM;
#ifdef A_ITALIC
  if (bits & 4) result |= A_ITALIC;
#endif
  if (bits & 8) result |= A_UNDERLINE;
  if (bits & 16) result |= A_REVERSE;
  return result;
}

static inline void nc_set_cell(cchar_t *cell, wchar_t base, attr_t attributes, int pair) {
  cell->chars[0] = base;
  for (int i = 1; i < CCHARW_MAX; i++) cell->chars[i] = 0;
  cell->attr = attributes | (attr_t)COLOR_PAIR(pair < 255 ? pair : 255);
#if defined(NCURSES_EXT_COLORS) && NCURSES_EXT_COLORS
  cell->ext_color = pair;
#endif
}

static inline void nc_add_mark(cchar_t *cell, int index, wchar_t mark) {
  if (index > 0 && index < CCHARW_MAX) cell->chars[index] = mark;
}
