import { API } from '../api/call.js'
import { isObject } from '../api/item.js'
import type { Json } from '../api/item.js'
import type { RequestRecord } from '../api/journal-types.js'
import { PAGE_SIZES } from '../search/compose-list.js'
import { accounts } from '../session/session-state.js'
import { DEFAULT_STATE } from '../state/page-state.js'
import type { PageState } from '../state/page-state.js'

/**
 * Returns the state of the page in which it shows the list that a request has asked for, as the account
 * of the request; undefined if the request is none, or none that the inputs for JSON can show.
 */
export function toDataState(record: RequestRecord): PageState | undefined {
  const { method, path, resource, url, accountId } = record
  if (method !== 'GET' || resource === null || path !== `${API}/${resource}`) return undefined
  const { query = '', projection = '{}', ...others } = readParameters(url)
  const parsed = parse(projection)
  if (parsed === undefined || !isObject(parsed) || Object.keys(others).length > 0) return undefined
  const { sort, fields, limit } = parsed
  const username = accounts.value.find(({ _id }) => _id === accountId)?.username ?? ''
  return {
    ...DEFAULT_STATE,
    as: username === accounts.value[0]?.username ? '' : username,
    resource,
    panel: 'query',
    query,
    sort: sort === undefined ? '' : JSON.stringify(sort),
    fields: fields === undefined ? '' : JSON.stringify(fields),
    size: PAGE_SIZES.slice(1).some((each) => each === limit) ? String(limit) : '',
  }
}

function readParameters(url: string): Record<string, string> {
  const [, search = ''] = url.split(/\?(.*)/s)
  return Object.fromEntries(new URLSearchParams(search))
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}
