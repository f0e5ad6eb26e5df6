// Against servers that are no daemon, and daemons that break off.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { ApiError, type Client, ConnectionError, ProtocolError, TimeoutError, type StreamEvent } from "outrigger";
import { all, answering, clientOf, server } from "./daemon.js";

function ok(body: string, type = "application/json"): string {
  return `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

test("what is no daemon is seen", async () => {
  const teapot = "HTTP/1.1 418 Teapot\r\nContent-Length: 6\r\n\r\n<html>";
  const gateway = "HTTP/1.1 503 Busy\r\nContent-Length: 2\r\n\r\nno";
  for (const answer of [ok("hello"), teapot, gateway, ok("")]) {
    await answering(answer, (client) => assert.rejects(client.health(), ProtocolError));
  }
  await answering("nonsense\r\n\r\n", (client) => assert.rejects(client.health(), ConnectionError));
});

test("an unready daemon's health is an answer, a refusal is none", async () => {
  const unready = '{"status":"unready","reasons":["why"]}';
  const refused = '{"error":{"code":"server_busy","message":"too many connections","field":null}}';
  const answer = (body: string) =>
    `HTTP/1.1 503 Service Unavailable\r\nRetry-After: 7\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  await answering(answer(unready), async (client) => {
    assert.deepEqual((await client.health()).reasons, ["why"]);
  });
  await answering(answer(refused), (client) =>
    assert.rejects(client.health(), (error) => error instanceof ApiError && error.retryAfter === 7),
  );
});

test("a stream that ends before its result is an error", async () => {
  const started = ': ping\n\nevent: started\ndata: {"job_id": "x"}\n\n';
  const cut = `HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n${started}`;
  for (const [answer, kind] of [[ok(started), ProtocolError], [cut, ConnectionError]] as const) {
    await answering(answer, async (client) => {
      const seen: StreamEvent[] = [];
      const follow = async () => {
        for await (const event of client.stream("bash", "true")) seen.push(event);
      };
      await assert.rejects(follow, kind);
      assert.deepEqual(seen, [{ name: "started", job_id: "x" }]);
    });
  }
});

test("events are read however their lines are broken", async () => {
  const text = [
    "event: started\r\ndata: {\"job_id\":\r\ndata:\"x\"}\r\n\r\n",
    "event:stdout\rdata: {\"data\": \"a\"}\r\r",
    "event: news\ndata: {}\n\nid\n\n",
    "event: stdout\ndata: {\"data\": \"b\"}\n\nevent: finished\ndata: {\"status\": \"completed\"}\n\n",
  ].join("");
  await answering(ok(text, "text/event-stream"), async (client) => {
    const events = await all(client.stream("bash", "true"));
    assert.deepEqual(events.map((event) => ("data" in event ? event.data : event.name)), ["started", "a", "b", "finished"]);
  });
});

test("the daemon's own mistake ends a stream with its error", async () => {
  const text = 'event: error\ndata: {"error":{"code":"internal_error","message":"a bug","field":null}}\n\n';
  await answering(ok(text), (client) =>
    assert.rejects(all(client.stream("bash", "true")), (error) => error instanceof ApiError && error.status === 500),
  );
});

test("nothing for too long is an error of its own", async () => {
  await answering("", (client) => assert.rejects(client.health(), TimeoutError), false);
  const begun = "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n: ping\n\n";
  await answering(begun, (client) => assert.rejects(all(client.stream("bash", "true")), TimeoutError), false);
});

test("what is given up is ended, though memory was tidied up meanwhile", async () => {
  setFlagsFromString("--expose-gc");
  const tidyUp: () => void = runInNewContext("gc");
  const begun = "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n: ping\n\n";
  const asked = async (what: (client: Client) => Promise<unknown>) => {
    const given = async (client: Client, left: Promise<void>) => {
      const tidying = setInterval(tidyUp, 20);
      await assert.rejects(what(client), TimeoutError);
      clearInterval(tidying);
      await left;
    };
    await answering(begun, given, false);
  };
  await asked((client) => client.languages());
  await asked((client) => all(client.stream("bash", "true")));
});

test("a token is sent, and a path before the routes is kept", async () => {
  const { createServer } = await import("node:http");
  const seen: (string | undefined)[] = [];
  const listener = createServer((request, response) => {
    seen.push(request.url, request.headers.authorization);
    response.end("{}");
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const address = listener.address();
  assert(address !== null && typeof address === "object");
  const { Client: Fresh } = await import("outrigger");
  await new Fresh(`http://127.0.0.1:${address.port}/sandbox/`, { token: "secret" }).languages();
  listener.close();
  listener.closeAllConnections();
  assert.deepEqual(seen, ["/sandbox/api/v1/languages", "Bearer secret"]);
  assert.equal((await clientOf({ token: "not-asked-for" }).health()).status, "ok", server);
});
