// Speaks with an MCP server by the official SDK's client; prints what it got as one JSON document.
// node mcp_client.mjs stdio COMMAND [ARG...]    or    node mcp_client.mjs http URL
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const [way, target, ...args] = process.argv.slice(2);

function transport() {
  if (way === 'http') {
    const headers = process.env.OUTRIGGER_TOKEN ? { Authorization: `Bearer ${process.env.OUTRIGGER_TOKEN}` } : {};
    return new StreamableHTTPClientTransport(new URL(target), { requestInit: { headers } });
  }
  return new StdioClientTransport({ command: target, args, env: process.env });
}

const client = new Client({ name: 'outrigger-tests', version: '1.0.0' });
await client.connect(transport());
const run = (language, code, more = {}) => client.callTool({ name: 'run_code', arguments: { language, code, ...more } });

// listTools() first: from then on the client holds every structured result against the tool's outputSchema.
const tools = await client.listTools();
const out = {
  server: client.getServerVersion(),
  capabilities: client.getServerCapabilities(),
  instructions: client.getInstructions(),
  tools: tools.tools.map((tool) => tool.name),
  languages: await client.callTool({ name: 'list_languages', arguments: {} }),
  hello: await run('python', 'print(input())', { stdin: 'hi\n' }),
  files: await run('bash', 'cat a/b; echo "$1"', { files: [{ path: 'a/b', content: 'in\n' }], args: ['arg'] }),
  failed: await run('python', 'import sys; sys.exit("no")'),
  slow: await run('bash', 'sleep 5', { timeout_ms: 200 }),
  greedy: await run('python', 'x = bytearray(10**9)'),
  unknownLanguage: await run('cobol', 'x'),
  tooLong: await run('bash', 'true', { timeout_ms: 1e9 }),
};
// Beside each other: on stdio a short one must not wait for a long one.
const order = [];
await Promise.all([
  run('bash', 'sleep 1').then(() => order.push('long')),
  client.ping().then(() => order.push('ping')),
]);
out.order = order;
// A run's row is written a moment after its answer.
for (let tries = 0; tries < 200 && (out.run?.isError ?? true); ++tries) {
  out.run = await client.callTool({ name: 'get_run', arguments: { job_id: out.slow.structuredContent.job_id } });
}
out.unknownTool = await client.callTool({ name: 'rm', arguments: {} }).then(() => 'answered', (error) => error.code);
out.unknownMethod = await client.listResources().then(() => 'answered', (error) => error.code ?? String(error));
await client.close();
console.log(JSON.stringify(out));
process.exit(0);
