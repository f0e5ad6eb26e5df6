import { ApiError, ProtocolError, TimeoutError } from "./errors.js";
import type { ServerEvent } from "./events.js";
import { pause } from "./patience.js";
import { parse, Transport } from "./transport.js";
import type {
  CallOptions,
  ExecuteRequest,
  Health,
  Job,
  JobOptions,
  JobRequest,
  JobResult,
  KeyedCallOptions,
  Languages,
  QueuedJobOptions,
  Refusal,
  Result,
  Run,
  Runs,
  StreamEvent,
  StreamedResult,
} from "./types.js";

export interface ClientOptions {
  /** On whose behalf jobs run. Default: "default". */
  tenant?: string;
  /** Where the daemon wants one. */
  token?: string;
  /** How long to wait for the network each time; longer than the longest job that is waited for. Default: 120000. */
  timeoutMs?: number;
}

export interface WaitOptions extends CallOptions {
  /** Default: 300000. */
  timeoutMs?: number;
  /** Between two questions. Default: 100. */
  intervalMs?: number;
}

/**
 * Asks one daemon on behalf of one tenant; one method a route.
 *
 * Rejects with ApiError where the daemon refuses, ConnectionError where it can't be reached, TimeoutError where nothing
 * comes, ProtocolError where something else answers.
 */
export class Client {
  readonly tenant: string;
  private readonly transport: Transport;

  constructor(server = "http://127.0.0.1:8080", options: ClientOptions = {}) {
    this.tenant = options.tenant ?? "default";
    this.transport = new Transport(server, options.token, options.timeoutMs ?? 120_000);
  }

  /** A request for batch(). */
  request(language: string, code: string, options: JobOptions = {}): ExecuteRequest {
    return { ...options, tenant_id: this.tenant, language, code };
  }

  /** Runs a program to its end. */
  run(language: string, code: string, options: JobOptions = {}, call: KeyedCallOptions = {}): Promise<Result> {
    const body = this.request(language, code, options);
    const headers = keyed(call);
    return this.transport.ask({ method: "POST", target: "/api/v1/execute", body, headers, signal: call.signal });
  }

  /** Runs a program and tells what it writes as it does. The last event is `finished`; leaving earlier ends the job. */
  async *stream(
    language: string,
    code: string,
    options: JobOptions = {},
    call: CallOptions = {},
  ): AsyncGenerator<StreamEvent, void, undefined> {
    const body = this.request(language, code, options);
    const events = this.transport.events({ method: "POST", target: "/api/v1/execute", body, signal: call.signal });
    for await (const event of events) {
      const told = understood(event);
      if (told === undefined) continue;
      yield told;
      if (told.name === "finished") return;
    }
    throw new ProtocolError("the stream of events ended before the program's result had come");
  }

  /** Runs up to 64 requests; for each, in their order, its result, or why it did not run. */
  async batch(requests: ExecuteRequest[], call: CallOptions = {}): Promise<(Result | Refusal)[]> {
    const body = { jobs: requests };
    const ask = { method: "POST", target: "/api/v1/batch", body, signal: call.signal } as const;
    return (await this.transport.ask<{ results: (Result | Refusal)[] }>(ask)).results;
  }

  /** Queues a program; its job_id. Once this is there it will be run, whatever dies meanwhile. */
  async submit(
    language: string,
    code: string,
    options: QueuedJobOptions = {},
    call: KeyedCallOptions = {},
  ): Promise<string> {
    const body: JobRequest = { ...options, tenant_id: this.tenant, language, code };
    const ask = { method: "POST", target: "/api/v1/jobs", body, headers: keyed(call), signal: call.signal } as const;
    return (await this.transport.ask<Job>(ask)).job_id;
  }

  /** How a queued job stands. */
  status(jobId: string, call: CallOptions = {}): Promise<Job> {
    return this.get(`/api/v1/jobs/${encodeURIComponent(jobId)}`, call);
  }

  /** The result of a queued job. ApiError where it was given up without one, TimeoutError where it takes too long. */
  async wait(jobId: string, options: WaitOptions = {}): Promise<JobResult> {
    const timeoutMs = options.timeoutMs ?? 300_000;
    const end = Date.now() + timeoutMs;
    for (;;) {
      const job = await this.status(jobId, options);
      if (job.result !== null) return job.result;
      if (job.state === "dead") {
        throw new ApiError(200, job.error?.code ?? "internal_error", job.error?.message ?? "the job was given up");
      }
      if (Date.now() > end) throw new TimeoutError(`job ${jobId} is still ${job.state} after ${timeoutMs} ms`);
      await pause(options.intervalMs ?? 100, options.signal);
    }
  }

  /** Ends a job that waits or runs; it ends as `cancelled`, unless it has ended by itself before. */
  async cancel(jobId: string, call: CallOptions = {}): Promise<void> {
    const target = `/api/v1/runs/${encodeURIComponent(jobId)}`;
    await this.transport.ask({ method: "DELETE", target, signal: call.signal });
  }

  /** What this tenant has run, newest first, page by page. `limit`: how many at most. */
  async *runs(filter: { status?: Run["status"]; language?: string; limit?: number } = {}, call: CallOptions = {}):
    AsyncGenerator<Run, void, undefined> {
    const query = new URLSearchParams({ tenant_id: this.tenant });
    if (filter.status !== undefined) query.set("status", filter.status);
    if (filter.language !== undefined) query.set("language", filter.language);
    let left = filter.limit ?? Infinity;
    while (left > 0) {
      query.set("limit", String(Math.min(left, 100)));
      const page = await this.get<Runs>(`/api/v1/runs?${query}`, call);
      yield* page.runs;
      if (page.next_before === null) return;
      left -= page.runs.length;
      query.set("before", page.next_before);
    }
  }

  /** What the audit trail keeps of one run. */
  runRecord(jobId: string, call: CallOptions = {}): Promise<Run> {
    return this.get(`/api/v1/runs/${encodeURIComponent(jobId)}`, call);
  }

  languages(call: CallOptions = {}): Promise<Languages> {
    return this.get("/api/v1/languages", call);
  }

  /** Also where it is unready. */
  health(call: CallOptions = {}): Promise<Health> {
    return this.transport.ask({ method: "GET", target: "/health", signal: call.signal, alsoAnswers: 503 });
  }

  private get<T>(target: string, call: CallOptions): Promise<T> {
    return this.transport.ask({ method: "GET", target, signal: call.signal });
  }
}

function keyed(call: KeyedCallOptions): Record<string, string> {
  return call.idempotencyKey === undefined ? {} : { "Idempotency-Key": call.idempotencyKey };
}

/** An event in our terms; undefined where a newer daemon tells something that this client does not know. */
function understood(event: ServerEvent): StreamEvent | undefined {
  const data = parse(event.data);
  if (event.name === "error") {
    const { error } = data as Refusal;
    throw new ApiError(500, error.code, error.message, error.field);
  }
  if (event.name === "started") return { name: "started", job_id: (data as { job_id: string }).job_id };
  if (event.name === "finished") return { name: "finished", result: data as StreamedResult };
  if (event.name !== "stdout" && event.name !== "stderr") return undefined;
  return { name: event.name, data: (data as { data: string }).data };
}
