#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <termios.h>

/* C code that Swift cannot express: signal handlers, and calls missing in Swift's C library. */

/* ---- Signals as bytes (signals.c) ---- */

/* Saves the current signal handlers for ct_signals_close. Call this before ncurses starts, because
   the handlers of ncurses end the program with status 1 and must not be saved. */
void ct_signals_note(void);
/* Makes WINCH, TSTP, CONT, TERM, INT and HUP write their number to `fd`, which must not block.

   After a TERM, INT or HUP, the program can delay its end. If a second TERM or INT arrives, or if
   ct_signals_seen is not called within a few seconds, the terminal is restored and the signal ends
   the program. */
void ct_signals_open(int fd);
/* Restores the saved handlers. If a HUP has arrived, any further HUP is ignored. */
void ct_signals_close(void);
/* Confirms that the program has handled a signal that asks it to end. */
void ct_signals_seen(void);
/* Stops this process and the other processes of its job. Returns when this process is continued,
   or immediately if it cannot be stopped. */
void ct_stop_job(void);
/* Runs a program and waits for its end. `variables` (NAME=VALUE, ending with NULL) replace those
   of the environment. Returns 0 or an errno. If it is 0, `status` is the program's status as a
   shell reports it. */
int ct_run(char *const arguments[], char *const variables[], int *status);
/* Sends a signal to the program for which ct_run waits, if there is one. Async-signal-safe. */
void ct_end_front(int signal);
/* Runs a program with `bytes` as its input and without output. Returns whether it succeeded within
   `limit` milliseconds. A program that takes longer is killed. */
bool ct_feed(char *const arguments[], const char *bytes, size_t length, int limit);

/* ---- Programs in the background (capture.c) ---- */

/* A program that runs without a terminal, and the descriptors for reading its output and errors. */
struct ct_program {
  int32_t process;
  int output, errors;
};
/* What a program wrote: the beginning of its output and the end of its errors, in the caller's
   buffers. */
struct ct_captured {
  char *output;
  size_t output_room, output_length;
  bool is_output_cut;
  char *errors;
  size_t errors_room, errors_length;
};
/* Starts a program in a session of its own, which reads the file `input`. `variables` are as for
   ct_run. Returns 0 or an errno. */
int ct_start_program(
  char *const arguments[], char *const variables[], const char *input,
  struct ct_program *program);
/* Reads what a program writes until it ends, and closes its descriptors. If the program writes more
   output than there is room for, it gets SIGPIPE. `stop` must become readable when the program is
   asked to end; after some time, the program is then killed. */
void ct_read_program(struct ct_program program, int stop, struct ct_captured *captured);
/* Asks a program and its children to end. */
void ct_stop_program(int32_t process);
/* Releases the process id of a program that has ended. Returns its status as a shell reports it. */
int ct_end_program(int32_t process);

/* ---- Restoring the terminal in every case (guard.c) ---- */

/* Makes the handlers for crashes write `restore` to `fd` and set `modes`, before the program ends.
   Copies `restore` and `modes`. */
void ct_guard_arm(int fd, const char *restore, size_t length, const struct termios *modes);
/* Makes the handlers for crashes restore nothing, but keeps them installed. */
void ct_guard_disarm(void);
/* Restores the signal handlers that were installed before ct_guard_arm. */
void ct_guard_close(void);
/* Writes the restore string and sets the modes, if that has not happened yet. Async-signal-safe. */
void ct_guard_restore(void);
/* Captures standard error until ct_release_errors, which prints what was captured. If standard
   error is not the terminal, both functions do nothing. */
void ct_capture_errors(void);
void ct_release_errors(void);
/* Returns the descriptor of the original standard error while it is captured, otherwise -1. */
int ct_terminal_errors(void);

/* ---- The terminfo entry (terminfo.c) ---- */

/* Returns whether a terminal type is usable: 1 if it is, 0 if the type is unknown, -1 if the system
   has no terminfo entries at all, -2 if the terminal cannot position the cursor. */
int ct_check_type(const char *name, int fd);
/* Returns the entry of the terminal type `name` without what takes ncurses long to evaluate, and with
   24-bit colors if `is_direct` is true. It is in the hexadecimal form for TERMINFO. The caller frees
   it. Returns NULL if the terminal has fewer than 256 colors (8 if `is_direct` is true), and on any
   failure. */
char *ct_terminfo_entry(const char *name, int fd, bool is_direct);
/* Keeps ncurses from resetting the terminal's palette, which may be the user's own, when it resumes.
   Call this after ncurses has started. */
void ct_keep_palette(void);
/* Copies a string capability of the current terminal, without padding. Returns its length; 0 if the
   terminal does not have it. */
size_t ct_capability(const char *name, char *out, size_t room);
/* Copies the sequence that moves the cursor of the current terminal to a position. Returns the
   sequence's length. */
size_t ct_cursor_address(int row, int column, char *out, size_t room);

/* ---- Writing frames in one piece (frame.c) ---- */
/* Returns a stream to the terminal, to which ncurses writes. Without it, ncurses writes a frame in
   several pieces. Each piece wakes the terminal or is a network packet. On systems without memory
   files, returns `terminal` itself. */
FILE *ct_frame_stream(FILE *terminal);
/* Buffers all writes to the stream until ct_frame_end. Returns the stream's descriptor, or -1 if
   there is no buffering. Writes to the terminal's own descriptor are not buffered, so use that
   descriptor in an emergency. */
int ct_frame_begin(void);
/* Writes the buffered output to the terminal in one piece. If the terminal can synchronize output
   (mode 2026), it displays a long frame at once; it reads a short one in one piece anyway. */
void ct_frame_end(int can_synchronize);
/* Returns the number of buffered bytes. */
long ct_frame_length(void);
/* Stops buffering and keeps only the first `length` bytes. The next frame begins with them. */
void ct_frame_rewind(long length);
/* Detaches the stream from the terminal until ct_frame_stream is called again. */
void ct_frame_close(void);

/* ---- Calls missing in Swift's C library (system.c) ---- */
int ct_width(uint32_t scalar);
bool ct_size(int fd, int *columns, int *rows);
bool ct_pipe(int fds[2]);
/* Sets the locale of the environment, or UTF-8 if it has none. Returns whether text is UTF-8. */
bool ct_set_locale(void);

/* ---- Exiting (leave.c) ---- */
/* Makes the process exit immediately, although it has much to release. Call this last, when
   everything is written and the terminal is restored.

   A parent process waits until the kernel has freed its child's memory, page by page, and closed
   the child's files. Closing a file watch takes an RCU grace period of 8 to 20 ms. To spare the
   parent this wait, a clone of the process takes over the memory and the descriptors that are slow
   to close. It sleeps for 50 ms and runs none of the program's code. It closes its copies of the
   terminal and of files immediately, so that locks on files end with the process. */
void ct_leave_quickly(void);
