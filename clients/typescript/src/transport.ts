// Requests over the platform's fetch, and answers judged: JSON, a refusal, or not Outrigger at all.
import { ApiError, ConnectionError, ProtocolError } from "./errors.js";
import { EventParser, type ServerEvent } from "./events.js";
import { Patience, unlessAborted } from "./patience.js";
import type { Refusal } from "./types.js";

export interface Ask {
  method: "GET" | "POST" | "DELETE";
  target: string;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
  /** A status above 299 whose body is an answer, unless it is an error's. */
  alsoAnswers?: number;
}

export class Transport {
  private readonly base: string;

  constructor(
    server: string,
    private readonly token: string | undefined,
    private readonly timeoutMs: number,
  ) {
    const url = new URL(server);
    if (!/^https?:$/.test(url.protocol) || url.search || url.hash || url.username || url.password) {
      throw new TypeError(`not a server's address: ${server}; want one like http://127.0.0.1:8080`);
    }
    this.base = url.href.replace(/\/+$/, "");
  }

  /** The answer's JSON. */
  async ask<T>(ask: Ask): Promise<T> {
    const patience = new Patience(this.timeoutMs, ask.signal);
    try {
      const response = await this.send(ask, "application/json", patience);
      const text = await this.text(response, patience);
      if (response.ok) return parse(text) as T;
      if (response.status === ask.alsoAnswers && !isRefusal(tryParse(text))) return parse(text) as T;
      throw refusalOf(response, text);
    } finally {
      patience.end();
    }
  }

  /** Each server-sent event as it comes. Leaving the loop closes the connection. */
  async *events(ask: Ask): AsyncGenerator<ServerEvent, void, undefined> {
    const patience = new Patience(this.timeoutMs, ask.signal);
    try {
      const response = await this.send(ask, "text/event-stream", patience);
      if (!response.ok) throw refusalOf(response, await this.text(response, patience));
      const decoder = new TextDecoder();
      const parser = new EventParser();
      for await (const piece of this.pieces(response, patience)) {
        patience.renew();
        yield* parser.push(decoder.decode(piece, { stream: true }));
      }
    } finally {
      patience.end();
    }
  }

  private async send(ask: Ask, accept: string, patience: Patience): Promise<Response> {
    const headers = new Headers({ Accept: accept, ...ask.headers });
    if (this.token !== undefined) headers.set("Authorization", `Bearer ${this.token}`);
    const request: RequestInit = { method: ask.method, headers, signal: patience.signal, redirect: "error" };
    if (ask.body !== undefined) {
      headers.set("Content-Type", "application/json");
      request.body = JSON.stringify(ask.body, refuseWhatIsNoJson);
    }
    return this.guarded(patience, () => fetch(this.base + ask.target, request));
  }

  /**
   * The body as it comes; who leaves before its end closes the connection. That is not left to the request's signal: fetch
   * may lose hold of it once the answer has begun (Node 18, when memory is tidied up).
   */
  private async *pieces(response: Response, patience: Patience): AsyncGenerator<Uint8Array, void, undefined> {
    if (response.body === null) return;
    const reader = response.body.getReader();
    try {
      for (;;) {
        const piece = await this.guarded(patience, () => reader.read());
        if (piece.done) return;
        yield piece.value;
      }
    } finally {
      reader.cancel().catch(() => {});
    }
  }

  private async text(response: Response, patience: Patience): Promise<string> {
    const decoder = new TextDecoder();
    let text = "";
    for await (const piece of this.pieces(response, patience)) text += decoder.decode(piece, { stream: true });
    return text + decoder.decode();
  }

  /** Tells whose fault a failure is: the caller's who gave up, the time's, or the connection's. */
  private async guarded<T>(patience: Patience, step: () => Promise<T>): Promise<T> {
    try {
      return await unlessAborted(step(), patience.signal);
    } catch (error) {
      if (patience.signal.aborted) throw patience.signal.reason;
      throw new ConnectionError(`${this.base} can't be reached, or was lost: ${reasonOf(error)}`, { cause: error });
    }
  }
}

/** JSON.stringify writes null for these, and null is a limit's default: a mistake would silently drop the limit. */
function refuseWhatIsNoJson(key: string, value: unknown): unknown {
  if (typeof value === "number" && !Number.isFinite(value)) throw new TypeError(`${key} is ${value}, which is no JSON`);
  return value;
}

export function parse(text: string): unknown {
  const value = tryParse(text);
  if (value === undefined) throw new ProtocolError(`the answer is no JSON: ${text.slice(0, 100)}`);
  return value;
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRefusal(value: unknown): value is Refusal {
  const error: unknown = typeof value === "object" && value !== null && "error" in value ? value.error : undefined;
  return typeof error === "object" && error !== null && "code" in error && "message" in error;
}

function refusalOf(response: Response, text: string): Error {
  const body = tryParse(text);
  if (!isRefusal(body)) {
    return new ProtocolError(`HTTP ${response.status}, but not as Outrigger answers: ${text.slice(0, 100)}`);
  }
  const retry = response.headers.get("Retry-After") ?? "";
  const { code, message, field } = body.error;
  return new ApiError(response.status, code, message, field, /^\d+$/.test(retry) ? Number(retry) : undefined);
}

/** fetch says only that it failed; why is in the cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message || error.message : error.message;
}
