// What the compiler must refuse. A line that it took would fail the build: an unused @ts-expect-error is an error.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Client, type JobOptions, type Refusal, type Result, type StreamEvent } from "outrigger";

function refusedByTheCompiler(client: Client, result: Result, event: StreamEvent, either: Result | Refusal): void {
  // @ts-expect-error: a program needs a language and code
  void client.run("python");
  // @ts-expect-error: no such option, so that no limit is dropped by a typing mistake
  void client.run("python", "", { limit: { pids: 3 } });
  // @ts-expect-error: no such limit
  void client.run("python", "", { limits: { wall_time: 3 } });
  // @ts-expect-error: a limit is a number
  void client.run("python", "", { limits: { pids: "3" } });
  // @ts-expect-error: whose job it is, the client says
  void client.run("python", "", { tenant_id: "other" });
  // @ts-expect-error: a file has a content
  void client.run("python", "", { files: [{ path: "a" }] });
  // @ts-expect-error: utf8 or base64
  void client.run("python", "", { output_encoding: "latin1" });
  // @ts-expect-error: only a queued job can call back
  void client.run("python", "", { callback_url: "http://a.example" });
  // @ts-expect-error: a stream is not kept under a key
  client.stream("python", "", {}, { idempotencyKey: "k" });
  // @ts-expect-error: a request names its tenant
  void client.batch([{ language: "python", code: "" }]);
  // @ts-expect-error: a status that there is not
  void (result.status === "crashed");
  // @ts-expect-error: null where no exit status is known
  void result.exit_code.toFixed();
  // @ts-expect-error: only two events have data
  void event.data;
  // @ts-expect-error: a refusal has no output
  void either.stdout;
  // @ts-expect-error: the client's tenant stays
  client.tenant = "other";
}

test("types tell results from refusals, and events apart", () => {
  const told = (either: Result | Refusal): string => ("error" in either ? either.error.code : either.stdout);
  const options: JobOptions = { stdin: null, limits: { pids: null }, output_encoding: "base64" };
  const text = (event: StreamEvent): string => (event.name === "stdout" ? event.data : event.name);
  assert.equal(told({ error: { code: "not_found", message: "m", field: null } }), "not_found");
  assert.equal(text({ name: "stdout", data: "x" }) + text({ name: "started", job_id: "j" }), "xstarted");
  assert.equal(new Client().request("python", "x", options).tenant_id, "default");
  assert.equal(typeof refusedByTheCompiler, "function");
});
