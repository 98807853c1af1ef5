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

/** The events of the server, and the messages between the tabs of a browser. */
export type ServerEvent =
  | { readonly name: 'start'; readonly data: StreamStart }
  | { readonly name: 'items'; readonly data: { readonly resources: readonly string[] } }
  | { readonly name: (typeof OTHER_EVENTS)[number]; readonly data: unknown }

/** The start of a stream. Events since the end of the previous stream may be missing. */
interface StreamStart {
  /** The id of the server. */
  readonly server: string
  /** False if a tab only tells another tab of a stream that is already open. */
  readonly isNews?: boolean
  /** The id of the previous server; undefined for the first stream of the page. */
  readonly former?: string | undefined
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

type Message =
  | ServerEvent
  | { readonly name: 'gone' }
  /** A new tab asks for the state of the stream. */
  | { readonly name: 'hello' }

/**
 * Follows the events of the server, or of the sandbox that the page shows. All tabs of a browser share
 * one stream, because a browser allows few connections to a server: the tab that has a lock opens the
 * stream, and tells the others. When that tab is closed, another tab gets the lock.
 * @param onEvent takes each event; `start` means that earlier ones may be missing
 * @returns what stops it
 */
export function followEvents(onEvent: (event: ServerEvent) => void): () => void {
  const name = `materials-mock${basePath()}`
  const channel = new BroadcastChannel(name)
  const stop = new AbortController()
  let former: string | undefined
  const receive = (message: Message): void => {
    if (message.name === 'gone') {
      isConnected.value = false
    } else if (message.name === 'start') {
      onEvent({ name: 'start', data: { ...message.data, former } })
      former = message.data.server
      isConnected.value = true
    } else if (message.name !== 'hello') {
      onEvent(message)
    }
  }
  // Without TLS, only addresses of this computer have locks. Otherwise, each tab opens its own stream.
  const locks = navigator.locks as LockManager | undefined
  const tell = (message: Message): void => {
    if (locks !== undefined) post(channel, message)
    receive(message)
  }
  let isLeader = false
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data.name === 'hello' && isLeader) tellState(channel, former)
    // A tab that already knows this server has missed nothing.
    else if (data.name !== 'start' || data.data.isNews || isConnected.value !== true) receive(data)
  })
  const lead = (): Promise<void> => {
    isLeader = true
    readStream(tell, stop.signal)
    return new Promise((resolve) => stop.signal.addEventListener('abort', () => resolve()))
  }
  const held = locks?.request(name, { signal: stop.signal }, lead) ?? lead()
  held.catch(() => undefined) // it was stopped before there was a lock
  if (locks !== undefined) post(channel, { name: 'hello' })
  return () => {
    stop.abort()
    channel.close()
    isConnected.value = undefined
  }
}

/** Sends a message to the other tabs. */
const post = (channel: BroadcastChannel, message: Message): void =>
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of one origin
  channel.postMessage(message)

/** Tells a new tab whether the server answers, if that is known. */
function tellState(channel: BroadcastChannel, server: string | undefined): void {
  if (isConnected.value === false) post(channel, { name: 'gone' })
  else if (server !== undefined) post(channel, { name: 'start', data: { server, isNews: false } })
}

/** Reads the stream of events, and opens another one whenever it ends. */
function readStream(tell: (message: Message) => void, stopped: AbortSignal): void {
  const source = new EventSource(`${basePath()}/__admin/events`)
  for (const name of ['start', 'items', ...OTHER_EVENTS] as const) {
    source.addEventListener(name, ({ data }: MessageEvent<string>) => {
      const parsed = JSON.parse(data) as object
      tell({ name, data: name === 'start' ? { ...parsed, isNews: true } : parsed } as ServerEvent)
    })
  }
  const close = (): void => source.close()
  source.addEventListener('error', () => {
    // The browser's own reconnection waits some seconds, and gives up after some answers.
    close()
    stopped.removeEventListener('abort', close)
    tell({ name: 'gone' })
    // The sandbox may be gone. A stream of it would write a line to the console each time.
    whenAnswered('/__admin/health', stopped, () => readStream(tell, stopped))
  })
  stopped.addEventListener('abort', close)
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
 * Tells without the controls whether the server answers: after a request that fails, it asks until there
 * is an answer, and lets all load again.
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
