// Server-sent events: https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream

export interface ServerEvent {
  name: string;
  data: string;
}

/** Takes text as it comes and gives each event that is whole. */
export class EventParser {
  private line: string[] = []; // the pieces of one whose end has not come
  private afterReturn = false; // a line feed now would be the second half of the last line's end
  private name = "";
  private data: string[] = [];

  push(text: string): ServerEvent[] {
    if (text === "") return [];
    const lines = (this.afterReturn && text.startsWith("\n") ? text.slice(1) : text).split(/\r\n|\n|\r/);
    this.afterReturn = text.endsWith("\r");
    const unfinished = lines.pop() ?? "";
    const events: ServerEvent[] = [];
    for (const end of lines) {
      const event = this.take(this.line.join("") + end);
      this.line = [];
      if (event !== undefined) events.push(event);
    }
    this.line.push(unfinished);
    return events;
  }

  private take(line: string): ServerEvent | undefined {
    if (line === "") return this.finish();
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "event") this.name = value;
    if (field === "data") this.data.push(value);
    return undefined; // a comment has no field's name: it says that the stream lives
  }

  private finish(): ServerEvent | undefined {
    const event = this.data.length > 0 ? { name: this.name || "message", data: this.data.join("\n") } : undefined;
    this.name = "";
    this.data = [];
    return event;
  }
}
