#define _GNU_SOURCE
#include "segment.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "../messages/events.h"

#define PARTIAL_SUFFIX ".partial"
// A day folder is named 2026-11-29 (UTC), so that no folder has more files than a day has segments.
enum { DAY_BYTES = 32, NAME_BYTES = 96 };
// Written bytes after which the system begins to write them to disk, so that completing a segment takes little.
enum { FLUSH_STEP = 1 << 20 };
// Segments that wait to be completed, at most.
enum { PENDING_MAX = 4 };
// Attempts to find a name that no segment has, which the clock can cause when it is set back.
enum { NAMES_MAX = 1000 };

struct segment {
  int descriptor;
  int64_t start, end, bytes;
};

static int folder = -1;
static mode_t folder_mode, file_mode;
static struct segment current = {.descriptor = -1};
static int64_t flushed_bytes;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct segment pending[PENDING_MAX];
static int pending_count;
static bool is_finishing, has_thread;
static pthread_t thread;
static atomic_bool has_failed;

static void name_day(int64_t start, char day[DAY_BYTES]) {
  time_t seconds = (time_t)(start / 1000);
  struct tm parts;
  gmtime_r(&seconds, &parts);
  strftime(day, DAY_BYTES, "%Y-%m-%d", &parts);
}

static void name_partial(int64_t start, char name[NAME_BYTES]) {
  char day[DAY_BYTES];
  name_day(start, day);
  snprintf(name, NAME_BYTES, "%s/%" PRId64 PARTIAL_SUFFIX, day, start);
}

static bool has_suffix(const char *name, const char *suffix) {
  size_t length = strlen(name), end = strlen(suffix);
  return length > end && strcmp(name + length - end, suffix) == 0;
}

static void remove_partials(int day) {
  DIR *files = fdopendir(day);
  if (!files) return (void)close(day);
  for (struct dirent *file; (file = readdir(files));)
    if (has_suffix(file->d_name, PARTIAL_SUFFIX)) unlinkat(dirfd(files), file->d_name, 0);
  closedir(files);
}

// Creates a folder and those above it that do not exist. Returns false with `errno`.
static bool create_folders(const char *path) {
  char parent[PATH_MAX];
  if (strlen(path) >= sizeof parent) return errno = ENAMETOOLONG, false;
  strcpy(parent, path);
  for (char *end = parent + 1; *end; end++) {
    if (*end != '/') continue;
    *end = '\0';
    if (mkdir(parent, folder_mode) < 0 && errno != EEXIST) return false;
    *end = '/';
  }
  return mkdir(path, folder_mode) == 0 || errno == EEXIST;
}

bool open_recording_folder(const char *path, bool is_group_writable) {
  folder_mode = is_group_writable ? 0770 : 0700;
  file_mode = is_group_writable ? 0660 : 0600;
  // The rights of files and folders are exactly these.
  umask(0);
  if (!create_folders(path)) return false;
  folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  // An earlier program may still complete its last segment.
  if (folder < 0 || flock(folder, LOCK_EX) < 0) return false;
  int copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *days = copy < 0 ? NULL : fdopendir(copy);
  if (!days) return false;
  for (struct dirent *day; (day = readdir(days));) {
    if (day->d_name[0] == '.') continue;
    int descriptor = openat(folder, day->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (descriptor >= 0) remove_partials(descriptor);
  }
  closedir(days);
  return true;
}

// Makes the entries of a folder durable. Returns false with `errno`.
static bool sync_folder(const char *name) {
  int descriptor = openat(folder, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return false;
  bool is_synced = fsync(descriptor) == 0;
  close(descriptor);
  return is_synced;
}

bool begin_segment(int64_t start) {
  char day[DAY_BYTES], name[NAME_BYTES];
  name_day(start, day);
  name_partial(start, name);
  bool is_new_day = mkdirat(folder, day, folder_mode) == 0;
  if (is_new_day ? !sync_folder(".") : errno != EEXIST) return false;
  int descriptor = openat(folder, name, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, file_mode);
  if (descriptor < 0) return false;
  current = (struct segment){.descriptor = descriptor, .start = start};
  flushed_bytes = 0;
  return true;
}

bool is_segment_open(void) { return current.descriptor >= 0; }
int64_t segment_bytes(void) { return current.bytes; }

bool write_segment(const void *data, size_t size) {
  for (const char *rest = data; size > 0;) {
    ssize_t written = write(current.descriptor, rest, size);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    rest += written;
    size -= (size_t)written;
    current.bytes += written;
  }
  if (current.bytes - flushed_bytes >= FLUSH_STEP) {
    sync_file_range(current.descriptor, flushed_bytes, current.bytes - flushed_bytes, SYNC_FILE_RANGE_WRITE);
    flushed_bytes = current.bytes;
  }
  return true;
}

void drop_segment(void) {
  if (!is_segment_open()) return;
  char name[NAME_BYTES];
  name_partial(current.start, name);
  unlinkat(folder, name, 0);
  close(current.descriptor);
  current.descriptor = -1;
}

// Names a segment, without replacing one. Returns false with `errno`.
static bool name_segment(struct segment *segment) {
  char partial[NAME_BYTES], name[NAME_BYTES], day[DAY_BYTES];
  name_day(segment->start, day);
  name_partial(segment->start, partial);
  for (int attempt = 0; attempt < NAMES_MAX; attempt++, segment->end++) {
    snprintf(name, sizeof name, "%s/%" PRId64 "-%" PRId64 ".ts", day, segment->start, segment->end);
    if (renameat2(folder, partial, folder, name, RENAME_NOREPLACE) == 0) return sync_folder(day);
    if (errno != EEXIST) return false;
  }
  return false;
}

static void complete(struct segment *segment) {
  bool is_stored = fsync(segment->descriptor) == 0;
  // Nothing reads it soon, so it need not stay in memory.
  posix_fadvise(segment->descriptor, 0, 0, POSIX_FADV_DONTNEED);
  int error = is_stored && close(segment->descriptor) == 0 && name_segment(segment) ? 0 : errno;
  if (error == 0) {
    write_event("{\"segment\":[%" PRId64 ",%" PRId64 ",%" PRId64 "]}", segment->start, segment->end, segment->bytes);
    return;
  }
  char name[NAME_BYTES];
  name_partial(segment->start, name);
  unlinkat(folder, name, 0);
  if (!atomic_exchange(&has_failed, true)) report_failure(strerrorname_np(error));
}

static void *complete_segments(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  for (;;) {
    while (pending_count == 0 && !is_finishing) pthread_cond_wait(&changed, &lock);
    if (pending_count == 0) break;
    struct segment next = pending[0];
    pthread_mutex_unlock(&lock);
    complete(&next);
    pthread_mutex_lock(&lock);
    pending_count--;
    memmove(pending, pending + 1, (size_t)pending_count * sizeof *pending);
    pthread_cond_broadcast(&changed);
  }
  pthread_mutex_unlock(&lock);
  return NULL;
}

void end_segment(int64_t end) {
  if (!is_segment_open()) return;
  if (current.bytes == 0) return drop_segment();
  current.end = end;
  pthread_mutex_lock(&lock);
  if (!has_thread) has_thread = pthread_create(&thread, NULL, complete_segments, NULL) == 0;
  if (has_thread) {
    while (pending_count == PENDING_MAX) pthread_cond_wait(&changed, &lock);
    pending[pending_count++] = current;
    pthread_cond_broadcast(&changed);
  }
  pthread_mutex_unlock(&lock);
  if (!has_thread) complete(&current);
  current.descriptor = -1;
}

bool finish_segments(void) {
  pthread_mutex_lock(&lock);
  is_finishing = true;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
  if (has_thread) pthread_join(thread, NULL);
  return !has_segment_failed();
}

bool has_segment_failed(void) { return atomic_load(&has_failed); }

int64_t free_bytes(void) {
  struct statvfs space;
  if (fstatvfs(folder, &space) < 0) return -1;
  return (int64_t)space.f_bavail * (int64_t)space.f_frsize;
}
