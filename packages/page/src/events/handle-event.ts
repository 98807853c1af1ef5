import { signal } from '@preact/signals'

import { reload, reloadAll } from '../state/versions.js'
import { showToast } from '../widgets/toasts.js'
import type { ServerEvent } from './connection.js'

/** The time between two loads of lists while items change, in ms. */
const RELOAD_INTERVAL = 400

/** The time between two loads of the requests while they arrive, in ms: at most four a second. */
const COUNT_INTERVAL = 250

/** Grows after a change of the requests, so that what depends on them loads again. */
export const requestsVersion = signal(0)

let changed = new Set<string>()

/** Updates the versions of all shown data for an event of the server. */
export function handleEvent(event: ServerEvent): void {
  if (event.name === 'request' || event.name === 'response' || event.name === 'requests') {
    countSoon()
  } else if (event.name === 'items') {
    for (const resource of event.data.resources) changed.add(resource)
    reloadSoon()
  } else if (event.name === 'faults' || event.name === 'clock' || event.name === 'snapshots') {
    reload([event.name])
  } else {
    // After a reset, or if events are missing, anything can have changed.
    const { server, former } = event.name === 'start' ? event.data : { server: '', former: '' }
    if (former !== undefined) reloadAll()
    if (former !== undefined && former !== server)
      showToast({ text: 'The server has restarted. The page shows its new data.' })
  }
}

const countSoon = throttle(COUNT_INTERVAL, () => {
  requestsVersion.value += 1
})

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
