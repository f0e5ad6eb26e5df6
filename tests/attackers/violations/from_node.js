// attack: opens a connection the way an ordinary program does
// limits: cpu_cores=2.0
// expect: status=security_violation syscall=socket exit_code=159 signal=SIGSYS cause=seccomp stdout=before
require('fs').writeSync(1, 'before\n');
const client = require('net').connect({host: '127.0.0.1', port: 8080}, () => console.log('ESCAPED connected'));
client.on('error', (error) => console.log('ESCAPED', error.code));
