#if defined(__linux__)

#include "Thread.h"
#include <pthread.h>
#include <signal.h>

int thread_start(void *(*body)(void *), size_t stack) {
  // Signals are for the thread that waits at the terminal.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&attributes, stack);
  pthread_t thread;
  int failure = pthread_create(&thread, &attributes, body, NULL);
  pthread_attr_destroy(&attributes);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return failure;
}

#endif
