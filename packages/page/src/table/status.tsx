import type { VNode } from 'preact'

/** The kinds of statuses of jobs and units that are shown in the same way. */
const KINDS: Readonly<Record<string, string>> = {
  finished: 'finished',
  active: 'active',
  submitted: 'waiting',
  queued: 'waiting',
  error: 'failed',
  terminated: 'failed',
  timeout: 'failed',
}

/** A status, as a word with a colour and a shape. */
export const Status = ({ status }: { readonly status: string }): VNode => (
  <span class={`status ${KINDS[status] ?? 'idle'}`}>{status}</span>
)
