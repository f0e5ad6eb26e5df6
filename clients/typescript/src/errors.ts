// What can go wrong between a client and its daemon. What goes wrong in a program is a result.
import type { ErrorBody } from "./types.js";

/** The daemon refused a request; nothing of it ran unless `code` says otherwise. */
export class ApiError extends Error {
  override readonly name = "ApiError";

  /**
   * `field`: the request's field or header that is to blame. `retryAfter`: seconds; undefined where trying the same again
   * is no use, or nobody knows when.
   */
  constructor(
    readonly status: number,
    readonly code: ErrorBody["code"],
    message: string,
    readonly field: string | null = null,
    readonly retryAfter?: number,
  ) {
    super(message);
  }
}

/** What answered is no Outrigger daemon, or a stream broke off before its end. */
export class ProtocolError extends Error {
  override readonly name = "ProtocolError";
}

/** The daemon can't be reached, or the connection was lost; `cause` is what the platform says about it. */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError";
}

/** Nothing came for too long, or a queued job did not end in time. */
export class TimeoutError extends Error {
  override readonly name = "TimeoutError";
}
