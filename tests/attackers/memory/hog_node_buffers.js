// attack: allocates buffers outside the script engine's own heap, without end
// limits: cpu_cores=2.0,wall_time_ms=25000,cpu_time_ms=25000
// expect: status=memory_exceeded exit_code=137 signal=SIGKILL cause=memory_ceiling event=oom_kill peak_near_limit=yes
// why: the engine may notice first that it gets no more, and abort by itself
// expect-or: status=signaled signal=SIGABRT
// Large ones: near the ceiling the engine's own code is thrown out and read anew at each step between them.
const hoard = [];
for (let i = 0; i < 32; i++) hoard.push(Buffer.alloc(32 << 20, 1));
console.log('ESCAPED', hoard.length * 32, 'MiB of memory');
