import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "outrigger";
import { all, clientOf } from "./daemon.js";

const client = clientOf();

async function untilEnded(jobId: string): Promise<string> {
  for (;;) {
    try {
      return (await client.runRecord(jobId)).status;
    } catch (error) {
      assert(error instanceof ApiError && error.status === 404, String(error));
    }
  }
}

test("a stream tells what is written", async () => {
  const events = await all(client.stream("bash", "echo one; echo é >&2; exit 4"));
  const [first, last] = [events[0], events.at(-1)];
  assert(first?.name === "started" && last?.name === "finished");
  assert.deepEqual([last.result.exit_code, last.result.job_id], [4, first.job_id]);
  const told = events.slice(1, -1).map((event) => ("data" in event ? [event.name, event.data] : event.name));
  assert.deepEqual(told.sort(), [["stderr", "é\n"], ["stdout", "one\n"]]);
});

test("much comes whole", async () => {
  let text = "";
  for await (const event of client.stream("python", "for i in range(30000): print(i, 'é')")) {
    if (event.name === "stdout") text += event.data;
  }
  assert.equal(text, Array.from({ length: 30_000 }, (_, number) => `${number} é\n`).join(""));
});

test("leaving a stream ends its job", async () => {
  let jobId = "";
  for await (const event of client.stream("bash", "echo here; sleep 60", { limits: { wall_time_ms: 5000 } })) {
    if (event.name === "started") jobId = event.job_id;
    if (event.name === "stdout") break;
  }
  assert.equal(await untilEnded(jobId), "cancelled");
});

test("a signal ends a stream and its job, with its reason", async () => {
  const controller = new AbortController();
  let jobId = "";
  const follow = async () => {
    for await (const event of client.stream("bash", "sleep 60", {}, { signal: controller.signal })) {
      if (event.name === "started") jobId = event.job_id;
      controller.abort(new Error("enough"));
    }
  };
  await assert.rejects(follow, /enough/);
  assert.equal(await untilEnded(jobId), "cancelled");
  await assert.rejects(client.run("bash", "true", {}, { signal: AbortSignal.abort() }), { name: "AbortError" });
});

test("a job is cancelled from elsewhere", async () => {
  const statuses = [];
  for await (const event of client.stream("bash", "sleep 60")) {
    if (event.name === "started") await client.cancel(event.job_id);
    if (event.name === "finished") statuses.push(event.result.status);
  }
  assert.deepEqual(statuses, ["cancelled"]);
});

test("what is refused is refused before anything is told", async () => {
  await assert.rejects(all(client.stream("python", "")), (error) => error instanceof ApiError && error.field === "code");
});
