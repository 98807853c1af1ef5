import type { JournalItem, RequestItem } from './journal-record.js'

/** The requests that a query is about. */
export interface RequestKind {
  /** What one of them is called in messages. */
  readonly name: string
  readonly fields: readonly string[]
}

const REQUEST_FIELDS: readonly (keyof RequestItem)[] = [
  'method',
  'path',
  'route',
  'resource',
  'query',
  'projection',
  'headers',
  'body',
  'accountId',
]

const OTHER_FIELDS: readonly (keyof JournalItem)[] = [
  '_id',
  'at',
  'url',
  'status',
  'ms',
  'fault',
  'upstream',
  'response',
]

/** Those that are not answered yet, which faults match. */
export const ARRIVING: RequestKind = { name: 'a request that arrives', fields: REQUEST_FIELDS }

/** Those in the journal. */
export const RECORDED: RequestKind = {
  name: 'a recorded request',
  fields: [...REQUEST_FIELDS, ...OTHER_FIELDS],
}
