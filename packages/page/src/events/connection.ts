import { signal } from '@preact/signals'

import { basePath, failures, send } from '../http/send.js'
import { reloadAll } from '../state/versions.js'

/**
 * Whether the server answers; undefined before it is known. With the controls, the stream of events
 * tells. Without them, a failed request tells, and the page asks again until there is an answer.
 */
export const isConnected = signal<boolean | undefined>(undefined)

/** The time between two attempts to reach a server that does not answer, in ms. */
const RETRY_INTERVAL = 1000

export type ServerEvent =
  | { readonly name: 'start'; readonly data: StreamStart }
  | { readonly name: 'items'; readonly data: { readonly resources: readonly string[] } }
  | { readonly name: (typeof OTHER_EVENTS)[number]; readonly data: unknown }

/** The start of a stream. Events since the end of the previous stream may be missing. */
interface StreamStart {
  /** The id of the server. */
  readonly server: string
  /** The id of the previous server; undefined for the first stream of the page. */
  readonly former: string | undefined
}

const OTHER_EVENTS = [
  'request',
  'response',
  'requests',
  'faults',
  'clock',
  'snapshots',
  'reset',
] as const

/**
 * While the page is visible: a browser allows six connections to a server.
 * @param onEvent `start` means that earlier ones may be missing
 * @returns what stops it
 */
export function followEvents(onEvent: (event: ServerEvent) => void): () => void {
  const stopping = new AbortController()
  let source: EventSource | undefined
  let former: string | undefined
  const open = (): void => {
    if (source !== undefined || document.hidden) return
    source = new EventSource(`${basePath()}/__admin/events`)
    for (const name of ['start', 'items', ...OTHER_EVENTS] as const) {
      source.addEventListener(name, ({ data }: MessageEvent<string>) => {
        const event = { name, data: JSON.parse(data) } as ServerEvent
        if (event.name !== 'start') return onEvent(event)
        const { server } = event.data
        onEvent({ name: 'start', data: { server, former } })
        former = server
        isConnected.value = true
      })
    }
    source.addEventListener('error', () => {
      // The browser's own reconnection waits some seconds, and gives up after some answers.
      close()
      isConnected.value = false
      // The sandbox may be gone. A stream of it would write a line to the console each time.
      whenAnswered('/__admin/health', stopping.signal, open)
    })
  }
  const close = (): void => {
    source?.close()
    source = undefined
  }
  const change = (): void => (document.hidden ? close() : open())
  document.addEventListener('visibilitychange', change)
  open()
  return () => {
    document.removeEventListener('visibilitychange', change)
    stopping.abort()
    close()
    isConnected.value = undefined
  }
}

/** Asks for a path every second until there is an answer without a failure, and acts then. */
function whenAnswered(path: string, stopped: AbortSignal, act: () => void): void {
  const ask = async (): Promise<void> => {
    if (stopped.aborted) return
    const answers = await send(path, { method: 'HEAD', signal: stopped }).then(
      () => true,
      () => false,
    )
    if (stopped.aborted) return
    if (answers) act()
    else whenAnswered(path, stopped, act)
  }
  setTimeout(() => void ask(), RETRY_INTERVAL)
}

/**
 * Without the controls: asks after a failure until there is an answer, and lets all load again.
 * @returns what stops it
 */
export function watchFailures(): () => void {
  const stopping = new AbortController()
  let isWaiting = false
  const unsubscribe = failures.subscribe((count) => {
    if (count === 0 || isWaiting) return
    isWaiting = true
    isConnected.value = false
    whenAnswered('/', stopping.signal, () => {
      isWaiting = false
      failures.value = 0
      isConnected.value = true
      reloadAll()
    })
  })
  return () => {
    unsubscribe()
    stopping.abort()
    isConnected.value = undefined
  }
}
