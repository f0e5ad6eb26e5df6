// The daemon that the tests ask, and servers that are none.
import assert from "node:assert/strict";
import { createServer, type Socket } from "node:net";
import { Client, type ClientOptions } from "outrigger";

const url = process.env["OUTRIGGER_URL"];
assert(url, "OUTRIGGER_URL must be a daemon's address");

export const server: string = url;

export function clientOf(options: ClientOptions = {}): Client {
  return new Client(server, { tenant: "ts", ...options });
}

/**
 * Asks a server that takes one request and answers it with these bytes, and then closes if it is to. `left`: the client has
 * closed its connection.
 */
export async function answering(
  answer: string,
  ask: (client: Client, left: Promise<void>) => Promise<void>,
  close = true,
): Promise<void> {
  const sockets: Socket[] = [];
  let onLeft = (): void => {};
  const left = new Promise<void>((resolve) => (onLeft = resolve));
  const listener = createServer((socket) => {
    sockets.push(socket);
    socket.on("close", onLeft);
    socket.on("error", () => {});
    socket.once("data", () => (close ? socket.end(answer) : socket.write(answer)));
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const address = listener.address();
  assert(address !== null && typeof address === "object");
  try {
    await ask(new Client(`http://127.0.0.1:${address.port}`, { timeoutMs: 300 }), left);
  } finally {
    sockets.forEach((socket) => socket.destroy());
    listener.close();
  }
}

/** All that an iterator gives. */
export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}
