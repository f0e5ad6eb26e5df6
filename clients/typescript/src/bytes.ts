// Bytes in JSON: base64 without Node's Buffer, which browsers don't have.
import type { CollectedFile, InputFile } from "./types.js";

export function encodeBase64(bytes: Uint8Array): string {
  let text = "";
  // As many at a time as a call may have arguments anywhere.
  for (let at = 0; at < bytes.length; at += 4096) text += String.fromCharCode(...bytes.subarray(at, at + 4096));
  return btoa(text);
}

/** Throws where `text` is not base64. */
export function decodeBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

/** A file laid into the working directory before the program starts. `mode`: its permissions, at most 0o777. */
export function file(path: string, content: string | Uint8Array, mode?: number): InputFile {
  const body: InputFile =
    typeof content === "string" ? { path, content } : { path, content: encodeBase64(content), encoding: "base64" };
  return mode === undefined ? body : { ...body, mode: mode.toString(8).padStart(4, "0") };
}

/** A collected file's content; undefined where it could not be had (`error` says why). */
export function contentOf(collected: CollectedFile): Uint8Array | undefined {
  if (collected.content === undefined) return undefined;
  if (collected.encoding === "base64") return decodeBase64(collected.content);
  return new TextEncoder().encode(collected.content);
}
