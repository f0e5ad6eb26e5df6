'use strict';
// Node's prelude: run by --require before the main module, it waits in a sealed jail for a job, lays the job out as
// sandbox_init does for a program that is exec'd (src/jail/plan.h has the format), and returns. Node then finds the main
// module by itself, so that what the program sees is Node's own doing. Nothing of this file is left to be seen.
{
  const fs = require('fs');
  const path = require('path');
  const kLaunchFd = 4;
  const kHeaderBytes = 32;
  const kFileHeaderBytes = 16;

  // What a first program would pay for: streams, the formatter, the loader of main modules.
  require('vm');
  require('module');
  require('url');
  require('events');
  require('stream');
  require('timers');
  require('util').inspect({ warm: [1, 'x', new Map([[1, 2]])] });
  process.stdout.writable; // eslint-disable-line no-unused-expressions
  process.stderr.writable; // eslint-disable-line no-unused-expressions
  console._times; // eslint-disable-line no-unused-expressions, no-underscore-dangle

  const readExactly = (bytes) => {
    const buffer = Buffer.allocUnsafeSlow(bytes);
    for (let at = 0; at < bytes;) {
      const got = fs.readSync(kLaunchFd, buffer, at, bytes - at, null);
      if (got === 0) process.reallyExit(0); // nobody has a job for us any more
      at += got;
    }
    return buffer;
  };

  const readStrings = (header) => {
    const count = header.readUInt32LE(0) + header.readUInt32LE(4);
    const strings = readExactly(header.readUInt32LE(8)).toString('utf8').split('\0');
    return strings.slice(0, count);
  };

  const layFile = () => {
    const header = readExactly(kFileHeaderBytes);
    const name = readExactly(header.readUInt32LE(0)).toString('utf8').slice(0, -1);
    const content = readExactly(Number(header.readBigUInt64LE(8)));
    fs.mkdirSync(path.dirname(name), { recursive: true });
    fs.writeFileSync(name, content);
    fs.chmodSync(name, header.readUInt32LE(4) & 0o777);
  };

  // A worker inherits --require; asked for the options of process.execArgv, which has none, it does not.
  const workers = require('worker_threads');
  workers.Worker = new Proxy(workers.Worker, {
    construct: (target, [file, options], newTarget) =>
      Reflect.construct(target, [file, { execArgv: process.execArgv, ...options }], newTarget),
  });
  require('module').syncBuiltinESMExports();
  process._preload_modules.length = 0; // eslint-disable-line no-underscore-dangle

  fs.unlinkSync(__filename);
  fs.rmdirSync(__dirname);
  delete require.cache[__filename];
  fs.writeSync(kLaunchFd, 'P');

  const header = readExactly(kHeaderBytes);
  const strings = readStrings(header);
  const argc = header.readUInt32LE(0);
  process.argv.push(...strings.slice(header.readUInt32LE(20), argc));
  for (const name of Object.keys(process.env)) delete process.env[name];
  for (const variable of strings.slice(argc)) {
    const at = variable.indexOf('=');
    process.env[variable.slice(0, at)] = variable.slice(at + 1);
  }
  process.chdir('/tmp/work'); // node has seen that /tmp has no package.json, and nothing of this directory
  const files = header.readUInt32LE(12);
  for (let i = 0; i < files; ++i) layFile();
  fs.closeSync(kLaunchFd);
}
