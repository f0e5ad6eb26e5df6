import assert from "node:assert/strict";
import { test } from "node:test";
import { TimeoutError } from "outrigger";
import { clientOf } from "./daemon.js";

const client = clientOf();

test("a queued job is waited for", async () => {
  const jobId = await client.submit("python", "print('queued')", {}, { idempotencyKey: "ts-queued" });
  assert.equal(await client.submit("python", "print('queued')", {}, { idempotencyKey: "ts-queued" }), jobId);
  const result = await client.wait(jobId);
  assert.deepEqual([result.stdout, result.attempt, result.job_id], ["queued\n", 1, jobId]);
  assert.equal((await client.status(jobId)).state, "finished");
  const record = await client.runRecord(jobId);
  assert.deepEqual([record.status, record.origin], ["completed", "queue"]);
});

test("a queued job is cancelled, and waiting has an end", async () => {
  const jobId = await client.submit("bash", "sleep 4");
  await assert.rejects(client.wait(jobId, { timeoutMs: 50, intervalMs: 10 }), TimeoutError);
  await client.cancel(jobId);
  assert.equal((await client.wait(jobId)).status, "cancelled");
});

test("waiting ends when its signal says so", async () => {
  const jobId = await client.submit("bash", "sleep 4");
  const controller = new AbortController();
  const waiting = client.wait(jobId, { signal: controller.signal, intervalMs: 60_000 });
  controller.abort(new Error("enough"));
  await assert.rejects(waiting, /enough/);
  await client.cancel(jobId);
});
