import { TimeoutError } from '@materials-mock/work'
import type { Work } from '@materials-mock/work'
import type { CompiledListQuery } from './list-query.js'
import { NaturalPage, SortedPage } from './page.js'
import type { HasItem } from './page.js'
import { nameAborted, retryTimeouts, runMatch, runPattern } from './run-pattern.js'
import type { Selector } from './selector/compile-selector.js'

export interface EntryList<Entry> {
  readonly length: number
  /** Returns the entry at a position from 0 to `length - 1`. */
  at(position: number): Entry | undefined
}

type ItemMatcher = Pick<Selector, 'matches' | 'needsTimeout'>

export interface EvaluateOptions<Entry extends HasItem> extends Pick<
  CompiledListQuery,
  'sort' | 'skip' | 'limit'
> {
  readonly selector: ItemMatcher
  /**
   * In a list that no write changes. Called for more than one step (default: no write changes it).
   */
  readonly hold?: (() => EntryList<Entry>) | undefined
  /** Whether the caller may count all entries that match (default: no). */
  readonly isCounted?: boolean
}

export interface Evaluation<Entry> {
  readonly page: Entry[]
  /** The number of entries that were tested until the page was full. */
  readonly examined: number
  /** The number of tested entries that match. */
  readonly matched: number
  /** The work that counts them if the page was full earlier, or undefined without `isCounted`. */
  readonly total: number | Work<number> | undefined
}

/** The longest duration of a step, in ms. A step ends between two entries. */
const STEP_MS = 2

/** The number of entries that are tested before the matching entries are collected. */
const BLOCK_SIZE = 64

/** Larger, because starting a timeout takes 0.1 ms. */
const TIMED_BLOCK = { size: 4096, endMs: 5, abortMs: 10 }

/**
 * The page of what matches. Without a sort, it stops when the page is full. Writes between two
 * steps do not affect it.
 * @throws ProjectionInvalid for parallel arrays in a sort; PatternTooCostly above 20 ms on one
 * item; QueryInvalid, BoundExceeded for an `$expr`
 */
export function* evaluate<Entry extends HasItem>(
  entries: EntryList<Entry>,
  options: EvaluateOptions<Entry>,
): Work<Entry[]> {
  return (yield* evaluateAndCount(entries, options)).page
}

/** Matching and collecting are separate: an abort of matching loses the verdict on one entry. */
export function* evaluateAndCount<Entry extends HasItem>(
  entries: EntryList<Entry>,
  { selector, sort, skip, limit, hold = () => entries, isCounted = false }: EvaluateOptions<Entry>,
): Work<Evaluation<Entry>> {
  const isReverse = sort?.isReverseNatural === true
  const isSorted = sort !== undefined && !isReverse
  const page = isSorted
    ? new SortedPage<Entry>(sort, skip, limit)
    : new NaturalPage<Entry>(skip, limit)
  const read = (list: EntryList<Entry>): EntryList<Entry> => (isReverse ? reverse(list) : list)
  let isHeld = selector.needsTimeout || isSorted
  let list = read(isHeld ? hold() : entries)
  let examined = 0
  let matched = 0
  while (examined < list.length && page.room > 0) {
    const block = yield* matchBlock(selector, list, examined, page.room)
    examined += block.count
    let stepEnd = performance.now() + STEP_MS
    for (const entry of block.findMatching()) {
      matched += 1
      page.add(entry)
      if (!isSorted || performance.now() < stepEnd) continue
      yield 'sorting items'
      stepEnd = performance.now() + STEP_MS
    }
    if (!isHeld && examined < list.length && page.room > 0) {
      isHeld = true
      list = read(hold())
    }
    yield isSorted ? 'sorting items' : 'scanning items'
  }
  if (examined >= list.length)
    return { page: yield* page.take(), examined, matched, total: matched }
  const rest = isHeld || !isCounted ? list : read(hold())
  const total = isCounted ? countMatching(selector, rest, examined, matched) : undefined
  return { page: yield* page.take(), examined, matched, total }
}

function* countMatching<Entry extends HasItem>(
  selector: ItemMatcher,
  list: EntryList<Entry>,
  from: number,
  counted: number,
): Work<number> {
  let count = counted
  for (let at = from; at < list.length;) {
    const block = yield* matchBlock(selector, list, at, Infinity)
    at += block.count
    count += block.findMatching().length
    yield 'scanning items'
  }
  return count
}

function reverse<Entry>(list: EntryList<Entry>): EntryList<Entry> {
  const { length } = list
  return { length, at: (position) => list.at(length - 1 - position) }
}

/** Matches the entries from one on, for some ms at most and until so many of them match. */
function* matchBlock<Entry extends HasItem>(
  selector: ItemMatcher,
  list: EntryList<Entry>,
  from: number,
  room: number,
): Work<Block<Entry>> {
  const block = new Block(
    selector,
    list,
    from,
    selector.needsTimeout ? TIMED_BLOCK.size : BLOCK_SIZE,
  )
  if (selector.needsTimeout) yield* matchWithTimeout(block, room)
  else block.match(room, performance.now() + STEP_MS)
  return block
}

/** Matches the entries of a block for some ms, and aborts a match that takes longer. */
function* matchWithTimeout<Entry extends HasItem>(block: Block<Entry>, room: number): Work<void> {
  const end = performance.now() + TIMED_BLOCK.endMs
  try {
    return runMatch(() => block.match(room, end), TIMED_BLOCK.abortMs)
  } catch (error) {
    if (!(error instanceof TimeoutError)) throw error
    yield nameAborted(error)
  }
  // Unless the abort came after the last entry, the next entry alone may have taken the time.
  if (!block.isComplete && block.findMatching().length < room)
    block.add(yield* retryTimeouts(() => runPattern(() => block.matchNext())))
}

class Block<Entry extends HasItem> {
  readonly #matches: ItemMatcher['matches']
  readonly #list: EntryList<Entry>
  readonly #from: number
  /** Whether each tested entry matches: 1 or 0. */
  readonly #verdicts: Uint8Array
  #count = 0

  /** @param size the largest number of entries */
  constructor(
    { matches }: Pick<ItemMatcher, 'matches'>,
    list: EntryList<Entry>,
    from: number,
    size: number,
  ) {
    this.#matches = matches
    this.#list = list
    this.#from = from
    this.#verdicts = new Uint8Array(Math.min(size, list.length - from))
  }

  /** The number of entries that have been tested. */
  get count(): number {
    return this.#count
  }

  get isComplete(): boolean {
    return this.#count === this.#verdicts.length
  }

  /** Stops at `room` matches, or in time. Aborted, earlier entries have their verdicts. */
  match(room: number, end: number): void {
    const clock = performance // to look it up for each entry takes as long as to read it
    for (let matching = 0; matching < room && !this.isComplete;) {
      const isMatch = this.matchNext()
      if (isMatch) matching += 1
      this.add(isMatch)
      if (clock.now() >= end) return
    }
  }

  matchNext(): boolean {
    return this.#matches(this.#entryAt(this.#count).item)
  }

  add(isMatch: boolean): void {
    this.#verdicts[this.#count] = Number(isMatch)
    this.#count += 1
  }

  findMatching(): Entry[] {
    const found: Entry[] = []
    for (let index = 0; index < this.#count; index += 1)
      if (this.#verdicts[index] === 1) found.push(this.#entryAt(index))
    return found
  }

  #entryAt(index: number): Entry {
    return this.#list.at(this.#from + index)!
  }
}
