// The API's types by short names. They come from schema.ts, which is generated from docs/openapi.json.
import type { components } from "./schema.js";

type Schemas = components["schemas"];

export type ExecuteRequest = Schemas["ExecuteRequest"];
export type JobRequest = Schemas["JobRequest"];
export type InputFile = Schemas["InputFile"];
export type RequestLimits = Schemas["RequestLimits"];

/** What became of a program. */
export type Result = Schemas["Outcome"];
/** The same of a queued job, with the attempt and the machine it ran on. */
export type JobResult = Schemas["JobResult"];
/** The same of a job that was streamed: its outputs have been told. */
export type StreamedResult = Omit<Result, "stdout" | "stderr">;
/** In the place of a result, where one program of a batch was refused. */
export type Refusal = Schemas["Error"];
export type ErrorBody = Schemas["ErrorBody"];

export type Status = Schemas["Status"];
export type Cause = Schemas["Cause"];
export type SecurityEvent = Schemas["SecurityEvent"];
export type CollectedFile = Schemas["CollectedFile"];
export type CompileReport = Schemas["CompileReport"];
export type Limits = Schemas["Limits"];

/** How a queued job stands. */
export type Job = Schemas["JobStatus"];
/** What the audit trail keeps of a run. */
export type Run = Schemas["Run"];
export type Runs = Schemas["Runs"];
export type Languages = Schemas["Languages"];
export type Health = Schemas["Health"];

/** What happens to a job that is streamed, in this order; stdout and stderr any number of times. */
export type StreamEvent =
  | { name: "started"; job_id: string }
  | { name: "stdout" | "stderr"; data: string }
  | { name: "finished"; result: StreamedResult };

/** What a job is asked for with, beyond its language and code; what is left out has the daemon's defaults. */
export type JobOptions = Omit<ExecuteRequest, "tenant_id" | "language" | "code">;
export type QueuedJobOptions = Omit<JobRequest, "tenant_id" | "language" | "code">;

/** About a call, not about the job. */
export interface CallOptions {
  /** Ends the call, and with it the job that it waits for, with the signal's own reason. */
  signal?: AbortSignal;
}

export interface KeyedCallOptions extends CallOptions {
  /** The same key and request within 24 hours give the first answer again. */
  idempotencyKey?: string;
}
