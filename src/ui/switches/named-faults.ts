import type { Fault } from '../../admin/faults/fault.js'
import { session } from '../session/session-state.js'

/** A fault that a switch turns on. */
export interface NamedFault {
  readonly title: string
  readonly description: string
  /** The rule; its name tells the switch whether it is on. */
  readonly rule: () => Fault & { readonly name: string }
}

/** The faults with a switch. */
export const NAMED_FAULTS: readonly NamedFault[] = [
  {
    title: 'Slow',
    description: 'Each answer takes 1 to 3 seconds.',
    rule: () => ({ name: 'slow', delay: { min: 1000, max: 3000 } }),
  },
  {
    title: 'Errors',
    description: 'Each request fails with 500.',
    rule: () => ({ name: 'errors', status: 500 }),
  },
  {
    title: 'Session ends',
    description: 'The requests of this account fail with 401; a login succeeds.',
    rule: () => ({
      name: 'session ends',
      status: 401,
      accountId: session.value?.headers['X-Account-Id'] ?? '',
    }),
  },
  {
    title: 'Rate limit',
    description: 'Each request fails with 429 and Retry-After: 5.',
    rule: () => ({ name: 'rate limit', status: 429, retryAfter: 5 }),
  },
  {
    title: 'Broken connection',
    description: 'The connection ends in the middle of the answer.',
    rule: () => ({ name: 'broken connection', drop: 'truncate' }),
  },
]
