// Runs programs through both of npm's clients of Piston; prints what they got as one JSON document.
// node piston_clients.mjs SERVER
import piston from 'piston-client';
import { NodePistonClient } from 'piston-api-client';

const server = process.argv[2];

async function byPistonClient() {
  const client = piston({ server });
  return {
    runtimes: await client.runtimes(),
    // Its defaults: version of the latest runtime of this name, args 1 2 3, timeouts and limits of Piston's own.
    plain: await client.execute('python', 'import sys; print(sys.argv[1:]); print("err", file=sys.stderr)'),
    files: await client.execute({
      language: 'javascript',
      version: '18.x',
      files: [
        { name: 'app.js', content: 'const { twice } = require("./lib.js"); console.log(twice(21), process.argv[2])' },
        { name: 'lib.js', content: 'exports.twice = x => 2 * x' },
      ],
      args: ['one'],
    }),
    stdin: await client.execute('bash', { files: [{ content: 'read line; echo "<$line>"' }], stdin: 'typed' }),
    failed: await client.execute('bash', 'exit 3'),
    slow: await client.execute('bash', 'sleep 10', { runTimeout: 300 }),
    unknown: await client.execute({ language: 'cobol', version: '1', files: [{ content: 'x' }] }),
    refused: await client.execute('bash', 'true', { runTimeout: 1e9 }),
  };
}

async function byApiClient() {
  const client = new NodePistonClient({ server });
  const base64 = Buffer.from([0xff, 0x00, 0x41]).toString('base64');
  return {
    runtimes: await client.runtimes(),
    hello: await client.execute({
      language: 'node-js',
      version: '*',
      files: [{ content: 'console.log(process.argv.slice(2))' }],
      args: ['Hello', 'World'],
    }),
    binary: await client.execute({
      language: 'py3',
      version: '>=3.0.0',
      files: [
        { name: 'main.py', content: 'print(open("data.bin", "rb").read())' },
        { name: 'data.bin', content: base64, encoding: 'base64' },
      ],
    }),
    killed: await client.execute({
      language: 'python',
      version: '*',
      files: [{ content: 'import os, signal; os.kill(os.getpid(), signal.SIGTERM)' }],
    }),
  };
}

console.log(JSON.stringify({ pistonClient: await byPistonClient(), apiClient: await byApiClient() }));
process.exit(0); // the second client's cache keeps a timer for a day
