import { TimeoutError } from "./errors.js";

/** Ends a request when its caller wants that, or when nothing has come for too long. */
export class Patience {
  private readonly controller = new AbortController();
  private readonly onAbort = (): void => this.controller.abort(this.outer?.reason);
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly milliseconds: number,
    private readonly outer?: AbortSignal,
  ) {
    if (outer?.aborted) this.onAbort();
    outer?.addEventListener("abort", this.onAbort);
    this.renew();
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Something came: the time begins anew. */
  renew(): void {
    clearTimeout(this.timer);
    const message = `nothing came for ${this.milliseconds} ms`;
    this.timer = setTimeout(() => this.controller.abort(new TimeoutError(message)), this.milliseconds);
  }

  /** Ends the request if it goes on, and lets go of the timer and of the caller's signal. */
  end(): void {
    clearTimeout(this.timer);
    this.outer?.removeEventListener("abort", this.onAbort);
    this.controller.abort();
  }
}

/** What the promise gives; the signal's reason as soon as it is aborted. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort);
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

/** Waits; throws the signal's reason as soon as it is aborted. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}
