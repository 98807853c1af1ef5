import { signal } from '@preact/signals'

import { listSummaries } from '../api/controls.js'
import { applyEvents } from '../api/journal.js'
import type { RequestEvent, RequestSummary } from '../api/journal.js'
import { reload, reloadAll } from '../state/versions.js'
import { showToast } from '../widgets/toasts.js'
import type { ServerEvent } from './connection.js'

/** The time between two drawings of the requests, in ms: at most ten a second. */
const DRAW_INTERVAL = 100

/** The time between two loads of lists while items change, in ms. */
const RELOAD_INTERVAL = 400

/** The time between two loads of the data that depend on the requests, in ms. */
const COUNT_INTERVAL = 500

/** The requests that the server has received, the newest first; undefined before they are loaded. */
export const feed = signal<readonly RequestSummary[] | undefined>(undefined)

/** Why the requests could not be loaded. */
export const feedError = signal<Error | undefined>(undefined)

/** Grows after a change of the requests, so that what depends on them loads again. */
export const feedVersion = signal(0)

/** The events since the last drawing, or since the start of a load of the journal. */
let pending: RequestEvent[] = []
let sinceLoad: RequestEvent[] | undefined
let changed = new Set<string>()

/** Updates the requests and the versions of all shown data for an event of the server. */
export function handleEvent(event: ServerEvent): void {
  if (event.name === 'request' || event.name === 'response') {
    const heard = { kind: event.name, data: event.data as RequestSummary }
    pending.push(heard)
    sinceLoad?.push(heard)
    drawSoon()
  } else if (event.name === 'items') {
    for (const resource of event.data.resources) changed.add(resource)
    reloadSoon()
  } else if (event.name === 'faults' || event.name === 'clock' || event.name === 'snapshots') {
    reload([event.name])
  } else if (event.name === 'requests') {
    clearFeed()
  } else {
    // After a reset, or if events are missing, anything can have changed.
    const { server, former } = event.name === 'start' ? event.data : { server: '', former: '' }
    if (former === undefined)
      feed.value = undefined // those of another sandbox
    else reloadAll()
    void loadFeed()
    if (former !== undefined && former !== server)
      showToast({ text: 'The server was started again. These are its data now.' })
  }
}

/** Shows the requests of the journal. Requests that arrived since the load began stay. */
export async function loadFeed(): Promise<void> {
  const heard: RequestEvent[] = []
  sinceLoad = heard
  pending = []
  const outcome = await listSummaries(undefined).catch((error: Error) => error)
  if (sinceLoad !== heard) return // there was another load since, or the journal was cleared
  sinceLoad = undefined
  if (outcome instanceof Error) feedError.value = outcome
  else show(applyEvents(outcome, heard))
}

/** Shows that the journal was cleared. */
export function clearFeed(): void {
  pending = []
  sinceLoad = undefined
  show([])
  reload(['requests'])
}

const drawSoon = throttle(DRAW_INTERVAL, () => {
  const events = pending
  pending = []
  if (feed.value !== undefined) show(applyEvents(feed.value, events)) // a load has heard them, too
})

const countSoon = throttle(COUNT_INTERVAL, () => {
  feedVersion.value += 1
})

function show(requests: readonly RequestSummary[]): void {
  feed.value = requests
  feedError.value = undefined
  countSoon()
}

const reloadSoon = throttle(RELOAD_INTERVAL, () => {
  const resources = [...changed]
  changed = new Set()
  reload(resources)
})

/** Returns a function that runs another function once after an interval in ms, however often it is called. */
function throttle(interval: number, run: () => void): () => void {
  let isWaiting = false
  return () => {
    if (isWaiting) return
    isWaiting = true
    setTimeout(() => {
      isWaiting = false
      run()
    }, interval)
  }
}
