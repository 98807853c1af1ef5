import { BoundExceeded } from '../errors.js'
import { applyFields } from '../query/projection/compile-fields.js'
import type { CompiledFields } from '../query/projection/compile-fields.js'
import type { Work } from '../work/work.js'
import type { Entry } from './entry.js'

/** The largest number of bytes of a page. 500 items of 1 MiB would be 500 MiB for each client. */
const MAX_PAGE_BYTES = 64 * 1024 * 1024

/** Returns the JSON text of an entry's item in UTF-8. It is cached in the entry. */
export function jsonOf(entry: Entry): Buffer {
  entry.text ??= Buffer.from(JSON.stringify(entry.item))
  return entry.text
}

/**
 * Returns the JSON text of each item of a page in UTF-8.
 * @param fields the projected fields; undefined for whole items
 * @throws BoundExceeded for a page of more than 64 MiB
 * @throws PatternTooCostly for a regular expression in `fields` that takes too long on one item
 */
export function* pageJson(
  page: readonly Entry[],
  fields: CompiledFields | undefined,
): Work<Buffer[]> {
  const texts: Buffer[] = []
  let bytes = 0
  for (const entry of page) {
    const cached = findJson(entry, fields)
    const text =
      cached ?? (fields === undefined ? jsonOf(entry) : yield* projectJson(entry, fields))
    bytes += text.length
    checkPageSize(bytes, 'give a smaller limit, or fields')
    texts.push(text)
    if (cached === undefined) yield 'writing the response'
  }
  return texts
}

/**
 * @param advice what the client can do to get a smaller page
 * @throws BoundExceeded for a page of more than 64 MiB
 */
export function checkPageSize(bytes: number, advice: string): void {
  if (bytes <= MAX_PAGE_BYTES) return
  throw new BoundExceeded(`a list must have at most ${MAX_PAGE_BYTES} bytes of JSON; ${advice}`)
}

const findJson = (entry: Entry, fields: CompiledFields | undefined): Buffer | undefined => {
  if (fields === undefined) return entry.text
  return entry.projected?.fields === fields ? entry.projected.text : undefined
}

/** Caches the text in the entry until other fields are requested. */
function* projectJson(entry: Entry, fields: CompiledFields): Work<Buffer> {
  const projected = yield* applyFields(fields, entry.item)
  yield 'writing the response'
  const text = Buffer.from(JSON.stringify(projected))
  entry.projected = { fields, text }
  return text
}
