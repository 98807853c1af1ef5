import { ServerResponse } from 'node:http'
import type { IncomingMessage } from 'node:http'

/**
 * A response of Node's that sends ASCII as what it is. Node takes every text for UTF-8, for which it
 * gets three bytes of memory a character and encodes one after the other: half of what it takes to
 * send a list.
 */
export class AsciiResponse<
  Request extends IncomingMessage = IncomingMessage,
> extends ServerResponse<Request> {
  /** What the headers say that the body has. */
  #bytes = -1

  override writeHead(...words: unknown[]): this {
    const headers = words.at(-1) as Readonly<Record<string, unknown>> | undefined
    this.#bytes = Number(headers?.['content-length'])
    return Reflect.apply(super.writeHead, this, words)
  }

  override end(...words: unknown[]): this {
    const [body] = words
    // A character that is not ASCII takes more than one byte of UTF-8.
    if (typeof body === 'string' && body.length === this.#bytes) words[1] = 'ascii'
    return Reflect.apply(super.end, this, words)
  }
}
