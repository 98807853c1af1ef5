import { computed, signal } from '@preact/signals'
import type { ReadonlySignal } from '@preact/signals'

import {
  applyChange,
  DEFAULT_DATA,
  DEFAULT_FRAME,
  DEFAULT_REQUESTS,
  parsePageState,
  toAddress,
} from './page-state.js'
import type { PageState } from './page-state.js'

/** The state of the page, which the address bar shows. */
export const pageState = signal(readAddress())

/** A site of a scenario begins where the scenario says. */
function readAddress(): PageState {
  return parsePageState(location.search || (document.documentElement.dataset.view ?? ''))
}

/** The states of the frame and of each view. Each changes only if a part of its own does. */
export const frameState = part(DEFAULT_FRAME)
export const dataState = part(DEFAULT_DATA)
export const requestsState = part(DEFAULT_REQUESTS)

function part<Part extends Partial<PageState>>(keys: Part): ReadonlySignal<Readonly<Part>> {
  const text = computed(() => JSON.stringify(pageState.value, Object.keys(keys)))
  return computed(() => JSON.parse(text.value) as Part)
}

let askFirst: (() => void) | undefined
const stay = (event: BeforeUnloadEvent): void => event.preventDefault()

addEventListener('popstate', () => {
  if (askFirst === undefined) {
    pageState.value = readAddress()
  } else {
    history.pushState(null, '', toAddress(pageState.value)) // the browser has left it already
    askFirst()
  }
})

/**
 * Stays where the page is while something would be lost: the browser asks before it leaves the page.
 * @param ask asks in the place of going back or forth
 * @returns what ends it
 */
export function stayHere(ask: () => void): () => void {
  askFirst = ask
  addEventListener('beforeunload', stay)
  return () => {
    askFirst = undefined
    removeEventListener('beforeunload', stay)
  }
}

export const navigate = (change: Partial<PageState>): void => changeState(change, 'pushState')

/** Changes parts of the state in the current entry of the history, for example while typing. */
export const adjust = (change: Partial<PageState>): void => changeState(change, 'replaceState')

function changeState(change: Partial<PageState>, method: 'pushState' | 'replaceState'): void {
  const next = applyChange(pageState.value, change)
  const address = toAddress(next)
  if (address === toAddress(pageState.value)) return
  history[method](null, '', address)
  pageState.value = next
}
