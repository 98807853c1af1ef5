import { applyFields } from '@materials-mock/query'
import type { CompiledFields } from '@materials-mock/query'
import type { Work } from '@materials-mock/work'
import { BoundExceeded } from '../errors.js'
import type { Entry } from './entry.js'

/** The largest number of bytes of a page. 500 items of 1 MiB would be 500 MiB for each client. */
const MAX_PAGE_BYTES = 64 * 1024 * 1024

/** In UTF-8, with the comma behind an element of a list, so that a list has half of the parts. */
export const toElement = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value)},`)

/** Returns the text of an element without its comma. The bytes are shared. */
export const withoutComma = (element: Buffer): Buffer => element.subarray(0, -1)

/** The size of the largest item that is sent as a text, in bytes: Node writes a text and its head at once. */
const MAX_TEXT_BYTES = 16 * 1024

/** Returns the JSON text of an entry's item as it is sent alone, in UTF-8 if it is long. It is cached in the entry. */
export function jsonOf(entry: Entry): Buffer | string {
  if (entry.text !== undefined) return entry.text
  const bytes = withoutComma(elementOf(entry))
  if (bytes.length > MAX_TEXT_BYTES) return bytes
  entry.text = bytes.toString()
  return entry.text
}

/** Returns the same text without caching it, for what writes all items, which have no room for two forms of each. */
export const textOf = ({ element, item }: Entry): Buffer =>
  element === undefined ? Buffer.from(JSON.stringify(item)) : withoutComma(element)

const elementOf = (entry: Entry): Buffer => (entry.element ??= toElement(entry.item))

/**
 * @param fields undefined for whole items
 * @throws BoundExceeded for a page of more than 64 MiB; PatternTooCostly for a pattern in `fields`
 */
export function* pageJson(
  page: readonly Entry[],
  fields: CompiledFields | undefined,
): Work<Buffer[]> {
  const elements: Buffer[] = []
  let bytes = 0
  for (const entry of page) {
    const cached = findElement(entry, fields)
    const element =
      cached ?? (fields === undefined ? elementOf(entry) : yield* projectElement(entry, fields))
    bytes += element.length
    checkPageSize(bytes, 'give a smaller limit, or fields')
    elements.push(element)
    if (cached === undefined) yield 'writing the response'
  }
  return elements
}

/**
 * @param advice how to get a smaller page
 * @throws BoundExceeded for more than 64 MiB
 */
export function checkPageSize(bytes: number, advice: string): void {
  if (bytes <= MAX_PAGE_BYTES) return
  throw new BoundExceeded(`a list must have at most ${MAX_PAGE_BYTES} bytes of JSON; ${advice}`)
}

const findElement = (entry: Entry, fields: CompiledFields | undefined): Buffer | undefined => {
  if (fields === undefined) return entry.element
  return entry.projected?.fields === fields ? entry.projected.element : undefined
}

/** Caches the text in the entry until other fields are requested. */
function* projectElement(entry: Entry, fields: CompiledFields): Work<Buffer> {
  const projected = yield* applyFields(fields, entry.item)
  yield 'writing the response'
  const element = toElement(projected)
  entry.projected = { fields, element }
  return element
}
