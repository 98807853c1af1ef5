import type { JsonObject } from '../../json/json.js'

/** A comment, which readers ignore. It shows that the connection is alive. */
export const HEARTBEAT = ':\n\n'

/** Formats an event (WHATWG HTML, section 9.2, Server-sent events). JSON has no line breaks. */
export const formatEvent = (name: string, id: number, data: JsonObject): string =>
  `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`
