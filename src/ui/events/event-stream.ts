import { signal } from '@preact/signals'

import type { RequestSummary } from '../api/journal-types.js'
import { listSummaries } from '../api/journal.js'
import { reloadData } from '../state/navigation.js'
import { applyEvents } from './request-feed.js'
import type { RequestEvent } from './request-feed.js'

/** The time between two drawings, in ms: at most ten a second. */
const DRAW_INTERVAL = 100

/** The time between two loads of lists while items change, in ms. */
const RELOAD_INTERVAL = 400

/** The requests that the server has received, the newest first. */
export const feed = signal<readonly RequestSummary[]>([])

/** Numbers that grow when fault rules, or snapshots, may have changed. */
export const faultsVersion = signal(0)
export const snapshotsVersion = signal(0)

/** Whether the page hears what happens. */
export const isLive = signal(false)

let pending: RequestEvent[] = []
let isDrawing = false
let isReloading = false

/** Follows what happens at the server, until the page is closed. A browser connects again by itself. */
export function followEvents(): void {
  const source = new EventSource('/__admin/events')
  source.addEventListener('open', () => {
    isLive.value = true
    void loadFeed()
  })
  source.addEventListener('error', () => {
    isLive.value = false
  })
  for (const kind of ['request', 'response'] as const) {
    source.addEventListener(kind, ({ data }) => {
      pending.push({ kind, data: JSON.parse(String(data)) as RequestSummary })
      draw()
    })
  }
  source.addEventListener('requests', () => clearFeed())
  source.addEventListener('gap', () => void loadFeed())
  source.addEventListener('items', () => reload())
  source.addEventListener('faults', () => {
    faultsVersion.value += 1
  })
  source.addEventListener('snapshots', () => {
    snapshotsVersion.value += 1
  })
  source.addEventListener('reset', () => {
    clearFeed()
    faultsVersion.value += 1
    reload()
  })
}

/** Loads the requests of the journal. Those that have been heard of since stay. */
async function loadFeed(): Promise<void> {
  const loaded = await listSummaries(undefined).catch(() => undefined)
  if (loaded === undefined) return
  const heard = feed.value.toReversed().map((data): RequestEvent => ({ kind: 'request', data }))
  feed.value = applyEvents(loaded, heard)
}

function clearFeed(): void {
  pending = []
  feed.value = []
}

function draw(): void {
  if (isDrawing) return
  isDrawing = true
  setTimeout(() => {
    isDrawing = false
    const events = pending
    pending = []
    feed.value = applyEvents(feed.value, events)
  }, DRAW_INTERVAL)
}

function reload(): void {
  if (isReloading) return
  isReloading = true
  setTimeout(() => {
    isReloading = false
    reloadData()
  }, RELOAD_INTERVAL)
}
