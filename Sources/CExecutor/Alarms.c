#include "CExecutor.h"

#if defined(__linux__)

#include <pthread.h>
#include <stdlib.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

typedef struct Alarm Alarm;
struct Alarm {
  Alarm *next;
  int64_t number, due;
  void (*ring)(void *);
  void *context;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Alarm *waiting;
static int64_t newest;
static int timer = -1;

// Returns the current time in nanoseconds. It advances even while the machine is suspended.
static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_BOOTTIME, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

// Sets the timer to the earliest alarm, or disarms it. Requires the lock.
static void set_timer(void) {
  int64_t due = 0;
  for (Alarm *alarm = waiting; alarm != NULL; alarm = alarm->next) {
    if (due == 0 || alarm->due < due) due = alarm->due;
  }
  struct itimerspec time = {{0, 0}, {due / 1000000000, due % 1000000000}};
  timerfd_settime(timer, TFD_TIMER_ABSTIME, &time, NULL);
}

// Removes and returns the alarms that are due. Requires the lock.
static Alarm *take_due(void) {
  int64_t moment = now();
  Alarm *due = NULL, **place = &waiting;
  while (*place != NULL) {
    Alarm *alarm = *place;
    if (alarm->due <= moment) {
      *place = alarm->next;
      alarm->next = due;
      due = alarm;
    } else {
      place = &alarm->next;
    }
  }
  set_timer();
  return due;
}

static void wait_for_alarms(void *unused) {
  (void)unused;
  for (;;) {
    uint64_t times;
    if (read(timer, &times, sizeof times) < 0) continue;
    pthread_mutex_lock(&lock);
    Alarm *due = take_due();
    pthread_mutex_unlock(&lock);
    while (due != NULL) {
      Alarm *alarm = due;
      due = alarm->next;
      alarm->ring(alarm->context);
      free(alarm);
    }
  }
}

// Starts the alarm thread if necessary, and returns whether it runs. Requires the lock.
static int is_attended(void) {
  if (timer >= 0) return 1;
  timer = timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC);
  if (timer < 0) return 0;
  if (thread_start(wait_for_alarms, NULL, 1 << 18) == 0) return 1;
  close(timer);
  timer = -1;
  return 0;
}

int64_t alarm_set(int64_t wait, void (*ring)(void *), void *context) {
  static const int64_t longest = INT64_MAX / 4;
  if (wait < 0) wait = 0;
  if (wait > longest) wait = longest;
  Alarm *alarm = malloc(sizeof *alarm);
  if (alarm == NULL) return 0;
  int64_t number = 0;
  pthread_mutex_lock(&lock);
  if (is_attended()) {
    number = ++newest;
    *alarm = (Alarm){waiting, number, now() + wait, ring, context};
    waiting = alarm;
    set_timer();
  }
  pthread_mutex_unlock(&lock);
  if (number == 0) free(alarm);
  return number;
}

int alarm_cancel(int64_t number) {
  Alarm *found = NULL;
  pthread_mutex_lock(&lock);
  for (Alarm **place = &waiting; *place != NULL; place = &(*place)->next) {
    if ((*place)->number != number) continue;
    found = *place;
    *place = found->next;
    set_timer();
    break;
  }
  pthread_mutex_unlock(&lock);
  free(found);
  return found != NULL;
}

#else

int64_t alarm_set(int64_t wait, void (*ring)(void *), void *context) {
  (void)wait, (void)ring, (void)context;
  return 0;
}

int alarm_cancel(int64_t number) {
  (void)number;
  return 0;
}

#endif
