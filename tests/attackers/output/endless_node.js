// attack: writes without end by the script engine, which buffers what the reader does not take
// limits: cpu_cores=2.0,wall_time_ms=2500
// expect: status=timeout event=output_truncated truncated=stdout stdout_kept=524288
const {writeSync} = require('fs');
const block = 'x'.repeat(65536);
for (;;) {
  try {
    writeSync(1, block);
  } catch (error) {
    if (error.code !== 'EAGAIN') throw error;
  }
}
