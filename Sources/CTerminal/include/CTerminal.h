#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <termios.h>

/* C code that Swift cannot express: signal handlers, and calls missing in Swift's C library. */

/* ---- Signals as bytes (signals.c) ---- */

/* Saves the current signal handlers for ct_signals_close. Must be called before ncurses starts,
   whose own handlers would otherwise be restored; they end the program with status 1. */
void ct_signals_note(void);
/* Makes WINCH, TSTP, CONT, TERM, INT and HUP write their number to `fd` (non-blocking). On a
   second TERM or INT, or without ct_signals_seen within seconds of the first, the terminal is
   restored and the signal ends the program. */
void ct_signals_open(int fd);
/* Restores the saved handlers; after a HUP, further ones are ignored. */
void ct_signals_close(void);
/* Acknowledges the signals that ask the program to end. */
void ct_signals_seen(void);
/* Stops this process and the others of its job. Returns when continued, or immediately if it
   cannot stop. */
void ct_stop_job(void);
/* Runs a program and waits for it. Returns 0 and its status as a shell reports it, or an errno. */
int ct_run(char *const arguments[], int *status);
/* Sends a signal to the program that ct_run waits for, if any. Async-signal-safe. */
void ct_end_front(int signal);
/* Runs a program without output and with `bytes` as its input. Returns whether it succeeded within
   `limit` milliseconds; after that it is killed. */
bool ct_feed(char *const arguments[], const char *bytes, size_t length, int limit);

/* ---- Restoring the terminal in every case (guard.c) ---- */

/* Makes a crash write `restore` to `fd` and set `modes` first. Both are copied. */
void ct_guard_arm(int fd, const char *restore, size_t length, const struct termios *modes);
/* Keeps the crash handlers, but makes them restore nothing. */
void ct_guard_disarm(void);
/* Restores the previous handlers. */
void ct_guard_close(void);
/* Writes the restore string and sets the modes, once. Async-signal-safe. */
void ct_guard_restore(void);
/* Capture standard error and print it when it is released. Do nothing when standard error is not
   the terminal. */
void ct_capture_errors(void);
void ct_release_errors(void);
/* The descriptor of the original standard error while it is captured; otherwise -1. */
int ct_terminal_errors(void);

/* ---- The terminfo entry (terminfo.c) ---- */

/* Returns 1 if the type is usable, 0 if unknown, -1 without any entries, -2 if it cannot position
   the cursor. */
int ct_check_type(const char *name, int fd);
/* The entry of `name` with 24-bit colors, in hexadecimal for TERMINFO; the caller frees it. NULL
   when it has no colors or on any failure. */
char *ct_direct_color_entry(const char *name, int fd);
/* Copies a string capability of the current terminal, without padding. Returns its length, or 0. */
size_t ct_capability(const char *name, char *out, size_t room);
/* Copies the sequence that moves the cursor of the open terminal to a position. Returns its
   length. */
size_t ct_cursor_address(int row, int column, char *out, size_t room);

/* ---- Writing frames at once (frame.c) ---- */
/* A stream to the terminal for ncurses. Without it, ncurses writes at each cursor movement: a
   frame in some forty pieces, each of which wakes the terminal or is a network packet. Returns
   `terminal` itself where memory files are not supported. */
FILE *ct_frame_stream(FILE *terminal);
/* Buffers what is written to the stream until ct_frame_end. Returns its descriptor, or -1 without
   buffering. The terminal's own descriptor is unaffected, for writes in emergencies. */
int ct_frame_begin(void);
/* Writes the buffered output to the terminal at once. */
void ct_frame_end(void);
/* Detaches the stream from the terminal until it is requested again. */
void ct_frame_close(void);

/* ---- Calls missing in Swift's C library (system.c) ---- */
int ct_width(uint32_t scalar);
bool ct_size(int fd, int *columns, int *rows);
bool ct_pipe(int fds[2]);
/* Sets the environment's locale, or UTF-8 if none is set. Returns whether text is UTF-8. */
bool ct_set_locale(void);

/* ---- Exiting (leave.c) ---- */
/* Makes the process exit immediately, although it has much to release. Call this last, when
   everything is written and the terminal is restored.

   A parent waits until the kernel has freed the memory of its child, page by page, and closed its
   files; closing a file watch takes an RCU grace period, 8 to 20 ms. A clone that shares the memory
   and has copies of the open descriptors takes over both: it sleeps 50 ms, runs none of the
   program's code, and holds neither the terminal nor files, whose locks end with the process. */
void ct_leave_quickly(void);
