// Talks over WebSockets with npm's ws; prints what was heard as one JSON document.
// node web_sockets.mjs SERVER   (ws://…)
import WebSocket from 'ws';

const server = process.argv[2];

// Sends `first`, then what `answer` gives for each message that comes; all messages, and how it was closed.
function talk(path, first, answer = () => []) {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(server + path);
    const heard = [];
    socket.on('open', () => { for (const each of first) socket.send(JSON.stringify(each)); });
    socket.on('message', (data) => {
      const message = JSON.parse(data.toString());
      heard.push(message);
      for (const each of answer(message)) socket.send(JSON.stringify(each));
    });
    socket.on('close', (code, reason) => resolve({ heard, code, reason: reason.toString() }));
    socket.on('error', reject);
  });
}

function init(language, content, more = {}) {
  return { type: 'init', language, version: '*', files: [{ content }], ...more };
}

const python = 'print("name?", flush=True); print("hello", input())';
const types = (text) => (message) => (message.type === 'data' && message.data.includes('name?')
  ? [{ type: 'data', stream: 'stdin', data: text }] : []);

const piston = {
  dialogue: await talk('/api/v2/connect', [init('python', python)], types('ws\n')),
  publicPath: await talk('/api/v2/piston/connect', [init('bash', 'echo out; echo err >&2; exit 3')]),
  interrupted: await talk('/api/v2/connect', [init('javascript', 'console.log("name?"); setTimeout(() => {}, 60000)')],
    (message) => (message.type === 'data' ? [{ type: 'signal', signal: 'SIGINT' }] : [])),
  slow: await talk('/api/v2/connect', [init('bash', 'sleep 60', { run_timeout: 300 })]),
  twice: await talk('/api/v2/connect', [init('bash', 'sleep 60'), init('bash', 'true')]),
  tooSoon: await talk('/api/v2/connect', [{ type: 'data', stream: 'stdin', data: 'x' }]),
  silent: await talk('/api/v2/connect', []),
  wrongStream: await talk('/api/v2/connect', [init('bash', 'sleep 60'), { type: 'data', stream: 'stdout', data: 'x' }]),
  wrongSignal: await talk('/api/v2/connect', [init('bash', 'sleep 60'), { type: 'signal', signal: 'SIGNOPE' }]),
  unknown: await talk('/api/v2/connect', [init('cobol', 'x')]),
};
const ours = await talk('/api/v1/interactive',
  [{ type: 'start', request: { tenant_id: 'test', language: 'python', code: python } }],
  (message) => (message.type === 'stdout' && message.data.includes('name?') ? [{ type: 'stdin', data: 'ws\n' }] : []));

console.log(JSON.stringify({ piston, ours }));
