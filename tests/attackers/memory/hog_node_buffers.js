// attack: allocates buffers outside the script engine's own heap, without end
// expect: status=memory_exceeded exit_code=137 signal=SIGKILL cause=memory_ceiling event=oom_kill peak_near_limit=yes
// why: the engine may notice first that it gets no more, and abort by itself
// expect-or: status=signaled signal=SIGABRT
const hoard = [];
for (let i = 0; i < 1024; i++) hoard.push(Buffer.alloc(1 << 20, 1));
console.log('ESCAPED', hoard.length, 'MiB of memory');
