import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError, Client, ConnectionError, contentOf, decodeBase64, file } from "outrigger";
import { all, clientOf } from "./daemon.js";

const client = clientOf();

test("a result has all members", async () => {
  const code = "import sys; print(input()); print('é', file=sys.stderr); sys.exit(3)";
  const result = await client.run("python", code, { stdin: "hi\n", limits: { wall_time_ms: 4000 } });
  assert.deepEqual([result.status, result.exit_code, result.signal], ["failed", 3, null]);
  assert.deepEqual([result.stdout, result.stderr, result.tenant_id], ["hi\n", "é\n", "ts"]);
  assert.deepEqual(result.cause, { code: "exited", text: "exited with status 3" });
  assert.equal(result.limits.wall_time_ms, 4000);
  const violation = await client.run("python", "import socket; socket.socket()");
  assert.deepEqual(violation.security_events.map((event) => event.syscall), ["socket"]);
});

test("files go both ways, of any bytes", async () => {
  const every = Uint8Array.from({ length: 70_000 }, (_, at) => at % 256);
  const files = [file("do", "#!/bin/sh\ncat", 0o755), file("in.bin", every)];
  const collect = ["out.*", "link"];
  const result = await client.run("bash", "./do < in.bin > out.bin; ln -s /etc/passwd link", { files, collect });
  assert.equal(result.status, "completed", result.stderr);
  const [link, out] = result.files;
  assert(link && out);
  assert.deepEqual([link.path, link.error?.code, contentOf(link)], ["link", "symlink", undefined]);
  assert.deepEqual(contentOf(out), every);
  const raw = await client.run("bash", "printf '\\377'", { output_encoding: "base64" });
  assert.deepEqual([...decodeBase64(raw.stdout)], [255]);
});

test("a batch keeps its order", async () => {
  const [first, second, third] = await client.batch([
    client.request("bash", "echo 1"),
    client.request("cobol", "x"),
    client.request("node", "console.log(3)"),
  ]);
  assert(first && "stdout" in first && second && "error" in second && third && "stdout" in third);
  assert.deepEqual([first.stdout, second.error.field, third.stdout], ["1\n", "language", "3\n"]);
});

test("the same key gives the same answer", async () => {
  const ask = () => client.run("bash", "echo $RANDOM$RANDOM", {}, { idempotencyKey: "ts-once" });
  assert.deepEqual(await ask(), await ask());
});

test("refusals name what is wrong", async () => {
  await assert.rejects(client.run("python", "x", { limits: { pids: 0 } }), (error) => {
    assert(error instanceof ApiError);
    assert.deepEqual([error.status, error.code, error.field], [400, "invalid_request", "limits.pids"]);
    return /^limits.pids must be/.test(error.message) && error.retryAfter === undefined;
  });
  await assert.rejects(client.status("nobody"), ApiError);
  await assert.rejects(client.cancel("nobody"), ApiError);
  await assert.rejects(client.batch([]), ApiError);
  await assert.rejects(client.run("cobol", "x"), ApiError);
});

test("what is no JSON is not sent as null", async () => {
  await assert.rejects(client.run("python", "x", { limits: { pids: NaN } }), TypeError);
});

test("a server that is not there, and what is no server's address", async () => {
  await assert.rejects(new Client("http://127.0.0.1:2").health(), (error) => {
    return error instanceof ConnectionError && /127\.0\.0\.1:2 .*ECONNREFUSED/.test(error.message);
  });
  for (const wrong of ["127.0.0.1:8080", "ftp://a", "http://a/?b", "http://user:pw@a", ""]) {
    assert.throws(() => new Client(wrong), TypeError, wrong);
  }
});

test("it looks at the daemon", async () => {
  assert.equal((await client.health()).status, "ok");
  assert((await client.languages()).languages.some((each) => each.name === "python"));
});

test("runs come page by page", async () => {
  const pages = clientOf({ tenant: "ts-pages" });
  const sixty = Array.from({ length: 60 }, (_, number) => pages.request("bash", `exit ${number % 2}`));
  await pages.batch(sixty);
  await pages.batch(sixty);
  const runs = await all(pages.runs());
  assert.deepEqual([runs.length, new Set(runs.map((run) => run.job_id)).size], [120, 120]);
  assert.equal((await all(pages.runs({ limit: 7 }))).length, 7);
  assert.equal((await all(pages.runs({ status: "failed", language: "bash" }))).length, 60);
});
