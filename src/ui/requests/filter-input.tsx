import type { VNode } from 'preact'

import { ApiError } from '../http/send.js'
import { completeParameter } from '../json/complete-json.js'
import { JsonInput } from '../json/json-editor.js'
import { locateErrors } from '../search/locate-error.js'

/** The properties of the filter. */
export interface FilterInputProps {
  readonly value: string
  readonly error: Error | undefined
  readonly onChange: (text: string) => void
}

/** The fields of a request in the journal. */
const FIELDS = [
  'method',
  'path',
  'status',
  'ms',
  'resource',
  'route',
  'query',
  'projection',
  'accountId',
  'fault',
  'fault.name',
  'fault.rule',
  'headers',
  'headers.user-agent',
  'body',
  'response.body',
  'response.body.data.code',
  'response.headers',
  'response.size',
  'upstream',
  'at',
  '_id',
]

const COMPLETE = completeParameter('query', FIELDS)

/** Filters the requests in the journal's query language. */
export function FilterInput({ value, error, onChange }: FilterInputProps): VNode {
  const origin = { input: 'query', start: 0, length: value.length } as const
  const list = {
    query: { text: value, origins: [origin] },
    projection: { text: '{}', origins: [] },
  }
  const details = error instanceof ApiError ? error.details : []
  const [located] = error === undefined ? [] : locateErrors(error.message, details, list)
  return (
    <JsonInput
      label="Filter"
      example='{"path": {"$regex": "materials"}}'
      value={value}
      complete={COMPLETE}
      error={located}
      onChange={onChange}
    />
  )
}
