// Client of Outrigger, an execution service for code nobody trusts. See Client.
export { contentOf, decodeBase64, encodeBase64, file } from "./bytes.js";
export { Client, type ClientOptions, type WaitOptions } from "./client.js";
export { ApiError, ConnectionError, ProtocolError, TimeoutError } from "./errors.js";
export type { components, operations, paths } from "./schema.js";
export type * from "./types.js";
