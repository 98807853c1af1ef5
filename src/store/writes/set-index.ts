import { isJsonObject } from '../../json/json.js'
import type { Json, JsonObject } from '../../json/json.js'
import { compileSelector } from '../../query/selector/compile-selector.js'
import type { Work } from '../../work/work.js'
import type { Collection } from '../collection.js'

/**
 * Returns the index of the next item that is moved to an ordered set: one more than the last one's,
 * from 0 on. No write comes between the end of the work and its result.
 */
export function* findNextIndex(collection: Collection, setId: string): Work<number> {
  const selector = compileSelector({ 'inSet._id': setId })
  const options = { selector, sort: undefined, skip: 0, limit: Infinity }
  for (;;) {
    const { version } = collection
    const members = yield* collection.find(options, () => true)
    if (collection.version !== version) continue
    return members.reduce((next, { item }) => Math.max(next, indexAfter(item, setId)), 0)
  }
}

const indexAfter = ({ inSet = [] }: JsonObject, setId: string): number =>
  (inSet as readonly Json[])
    .filter((set) => isJsonObject(set) && set._id === setId)
    .reduce<number>((next, set) => {
      const { index } = set as JsonObject
      return typeof index === 'number' ? Math.max(next, index + 1) : next
    }, 0)
