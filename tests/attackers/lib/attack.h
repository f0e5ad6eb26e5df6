// What attackers in C share: they say in one word a line what came of each try. The harness fails on every "ESCAPED".
#pragma once
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int attack_refusals;

static inline const char *error_name(int error) {
  switch (error) {
    case EPERM: return "EPERM";
    case EACCES: return "EACCES";
    case ENOSYS: return "ENOSYS";
    case EINVAL: return "EINVAL";
    case EROFS: return "EROFS";
    case ENOENT: return "ENOENT";
    case ESRCH: return "ESRCH";
    case EBADF: return "EBADF";
    case EFAULT: return "EFAULT";
    case EBUSY: return "EBUSY";
    case ENOTTY: return "ENOTTY";
    case ENXIO: return "ENXIO";
    case ENODEV: return "ENODEV";
    case EAGAIN: return "EAGAIN";
    case ENOMEM: return "ENOMEM";
    case ENOSPC: return "ENOSPC";
    case EXDEV: return "EXDEV";
    case EDOM: return "EDOM";
    case EOPNOTSUPP: return "EOPNOTSUPP";
    case EAFNOSUPPORT: return "EAFNOSUPPORT";
    case ELOOP: return "ELOOP";
    case EMFILE: return "EMFILE";
    case ENFILE: return "ENFILE";
    case ENOBUFS: return "ENOBUFS";
    case EISDIR: return "EISDIR";
    case ETXTBSY: return "ETXTBSY";
    case ENOTDIR: return "ENOTDIR";
    default: return strerror(error);
  }
}

// `result` is a system call's, as syscall(2) gives it: errno must still stand.
static inline int tried(const char *act, long result) {
  if (result == -1) {
    ++attack_refusals;
    printf("refused %s %s\n", error_name(errno), act);
  } else {
    printf("ESCAPED %s -> %ld\n", act, result);
  }
  fflush(stdout);
  return result == -1;
}

// The same where what came out is a fact of its own, not a system call's result.
static inline void escaped_if(int escaped, const char *act) {
  if (!escaped) ++attack_refusals;
  printf("%s %s\n", escaped ? "ESCAPED" : "held", act);
  fflush(stdout);
}

// By the 32-bit gate of the kernel, from a 64-bit program: the numbers are i386's, the arguments are cut to 32 bits.
static inline long syscall_int80(long number, long a, long b, long c, long d) {
  long result;
  __asm__ volatile("int $0x80"
                   : "=a"(result)
                   : "a"(number), "b"(a), "c"(b), "d"(c), "S"(d)
                   : "memory", "r8", "r9", "r10", "r11");
  int error = (int)result;
  if (error < 0 && error > -4096) {
    errno = -error;
    return -1;
  }
  return error;
}

// x32: the 64-bit gate, with this bit in the number.
#define X32_BIT 0x40000000L

// An int argument whose upper half, which the kernel drops, would make a careless comparison in 64 bits miss it.
#define WITH_UPPER_BITS(value) ((long)(unsigned int)(value) | (0x1L << 32))

// The last line: how many tries were refused or facts held, so that a try which was never made is missed.
static inline int attack_done(void) {
  printf("refusals: %d\n", attack_refusals);
  fflush(stdout);
  return 0;
}
