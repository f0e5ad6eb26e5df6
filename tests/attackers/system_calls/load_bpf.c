// attack: loads a program into the kernel
// expect: status=security_violation syscall=bpf
// case: map args="0"
// case: map_upper_bits args="1"
#include <linux/bpf.h>

#include "attack.h"

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  union bpf_attr attr;
  memset(&attr, 0, sizeof attr);
  attr.map_type = BPF_MAP_TYPE_ARRAY;
  attr.key_size = 4;
  attr.value_size = 4;
  attr.max_entries = 1;
  const long command = atoi(argv[1]) ? WITH_UPPER_BITS(BPF_MAP_CREATE) : BPF_MAP_CREATE;
  tried("bpf", syscall(SYS_bpf, command, &attr, sizeof attr));
  return attack_done();
}
