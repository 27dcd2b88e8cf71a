#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <termios.h>

/* C that Swift cannot express: what runs inside signal handlers, and calls that its C library hides. */

/* ---- Signals as bytes (signals.c) ---- */

/* Remembers what the signals do now, for ct_signals_close. To be called before ncurses begins, which
   has handlers of its own: they stay behind, and end the program with status 1. */
void ct_signals_note(void);
/* From now on WINCH, TSTP, CONT, TERM, INT and HUP write their number to `fd` (non-blocking). When a
   second TERM or INT comes, or nobody calls ct_signals_seen within seconds of the first, the
   terminal is restored and the signal ends the program. */
void ct_signals_open(int fd);
/* What was noted is in force again; a HUP that came is not heard twice. */
void ct_signals_close(void);
/* The signals that ask to end have been read. */
void ct_signals_seen(void);
/* Stops this process and the others of its job; returns when continued, at once if it cannot stop. */
void ct_stop_job(void);
/* Runs a program and waits for it: 0 and its status as of a shell, or an errno. */
int ct_run(char *const arguments[], int *status);
/* Sends a signal to the program that ct_run waits for, if there is one; safe in a handler. */
void ct_end_front(int signal);
/* Runs a program quietly with `bytes` as its input; whether it ended well within so many milliseconds.
   Then it is ended. */
bool ct_feed(char *const arguments[], const char *bytes, size_t length, int limit);

/* ---- Putting the terminal back, whatever happens (guard.c) ---- */

/* From now on a crash first writes `restore` to `fd` and sets `modes`. Both are copied. */
void ct_guard_arm(int fd, const char *restore, size_t length, const struct termios *modes);
/* The crash handlers stay in place but have nothing to put back. */
void ct_guard_disarm(void);
/* The handlers that were there before are in force again. */
void ct_guard_close(void);
/* Writes the restore string and sets the modes, once; safe in signal handlers. */
void ct_guard_restore(void);
/* While it is captured, what is written to standard error is kept; it is shown when the terminal is
   given back. Does nothing when standard error is not the terminal. */
void ct_capture_errors(void);
void ct_release_errors(void);
/* Where standard error leads when it is not captured; -1 when it is not. */
int ct_terminal_errors(void);

/* ---- The terminal's description (terminfo.c) ---- */

/* 1 fine, 0 unknown type, -1 no description at all, -2 it cannot place the cursor. */
int ct_check_type(const char *name, int fd);
/* The description of `name` with 24-bit colours, hexadecimal, as TERMINFO takes it; the caller frees.
   NULL when it has no colours or on any failure. */
char *ct_direct_color_entry(const char *name, int fd);
/* A string of the terminal in use, without padding; 0 when it has none. */
size_t ct_capability(const char *name, char *out, size_t room);
/* What puts the cursor of the terminal that is open at a place, wherever it was, and its length. */
size_t ct_cursor_address(int row, int column, char *out, size_t room);

/* ---- Frames in one piece (frame.c) ---- */
/* A stream to the terminal for ncurses, which writes each time that it places the cursor: a page in
   forty pieces, each of which wakes the terminal, and is a packet over a network. `terminal` itself
   where the system has no files in memory. */
FILE *ct_frame_stream(FILE *terminal);
/* Until ct_frame_end what is written to the stream is kept; answers its descriptor, or -1 when it is
   not kept. The terminal's own descriptor stays what it is, for who must write to it whatever happens. */
int ct_frame_begin(void);
/* Writes to the terminal what was kept, at once. */
void ct_frame_end(void);
/* The stream holds the terminal no longer, until it is asked for again. */
void ct_frame_close(void);

/* ---- What Swift's C library hides (system.c) ---- */
int ct_width(uint32_t scalar);
bool ct_size(int fd, int *columns, int *rows);
bool ct_pipe(int fds[2]);
/* Sets the locale of the environment, or UTF-8 when it names none; whether text is UTF-8 then. */
bool ct_set_locale(void);

/* ---- Ending (leave.c) ---- */
/* Lets the program end at once, though much is to be given back. To be called last, when everything
   is written and the terminal is as it was.

   Who waits for a program waits until the system has taken back its memory, page by page, and has
   closed its files; a watch of files waits for a grace period of the kernel, 8 to 20 ms. A child that
   shares the memory and has a copy of the open files takes both over: it lives 50 ms, runs nothing of
   the program and holds no terminal. */
void ct_leave_quickly(void);
