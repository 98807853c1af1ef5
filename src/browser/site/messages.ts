/** A request that the service worker passes on to the mock. A port for the reply comes with it. */
export interface RequestMessage {
  readonly method: string
  /** The path below that of the site, with its parameters. */
  readonly path: string
  readonly headers: readonly [string, string][]
  readonly body: ArrayBuffer
}

/** The parts of a reply, in this order: that the request has come, the head, chunks of the body, the end. */
export type ReplyMessage =
  | 'taken'
  | {
      readonly status: number
      readonly statusText: string
      readonly headers: readonly [string, string][]
      readonly hasBody: boolean
    }
  | { readonly chunk: Uint8Array }
  /** The end; `isDropped` for a connection that a fault drops. */
  | { readonly isDropped: boolean }
