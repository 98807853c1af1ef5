import { HIDDEN } from './redact.js'

/** The length from which a secret is replaced within a longer text. A shorter secret may be a word. */
export const MIN_PART_LENGTH = 8

/** The length from which the start of a longer secret is replaced, too. */
const MIN_START_LENGTH = 64

/** The number of characters that are looked at together. */
const BLOCK = 4

/** The characters by which the search moves on where no secret has the block that it looks at. */
const MAX_SHIFT = MIN_PART_LENGTH - BLOCK + 1

/**
 * As they are and encoded for a URL. The work for a character does not depend on the number of
 * secrets (S. Wu and U. Manber, A fast algorithm for multi-pattern searching, 1994).
 */
export function createSecretFilter(secrets: Iterable<string>): (text: string) => string {
  const whole = new Set(secrets)
  const forms = new Set<string>()
  for (const secret of whole) {
    if (secret.length < MIN_PART_LENGTH) continue
    forms.add(secret)
    forms.add(encodeURIComponent(secret.replace(/\p{Cs}/gu, '\uFFFD')))
  }
  if (forms.size === 0) return (text) => (text !== '' && whole.has(text) ? HIDDEN : text)
  const measure = createPrefixSearch(forms)
  const { shifts, hash } = createShifts(forms)
  return (text) => {
    if (text !== '' && whole.has(text)) return HIDDEN
    let visible = ''
    let start = 0
    let at = 0
    while (at + MIN_PART_LENGTH <= text.length) {
      const shift = shifts[hash(text, at + MAX_SHIFT - 1)]!
      const length = shift === 0 ? measure(text, at) : 0
      if (length > 0) {
        visible += text.slice(start, at) + HIDDEN
        start = at + length
      }
      at += length || Math.max(1, shift)
    }
    return start === 0 ? text : visible + text.slice(start)
  }
}

/** Returns by how many characters a search may move on at each block of characters: 0 at the end of a first block. */
function createShifts(forms: ReadonlySet<string>) {
  const bits = Math.min(22, Math.ceil(Math.log2(forms.size * MAX_SHIFT)) + 3)
  const shifts = new Uint8Array(2 ** bits).fill(MAX_SHIFT)
  const hash = (text: string, at: number): number => {
    let sum = text.charCodeAt(at)
    for (let offset = 1; offset < BLOCK; offset += 1)
      sum = Math.imul(sum, 31) + text.charCodeAt(at + offset)
    return Math.imul(sum, 0x9e3779b1) >>> (32 - bits)
  }
  for (const form of forms) {
    for (let at = 0; at < MAX_SHIFT; at += 1) {
      const key = hash(form, at)
      shifts[key] = Math.min(shifts[key]!, MAX_SHIFT - 1 - at)
    }
  }
  return { shifts, hash }
}

/** Measures the longest of some texts at an index, or the start of a long one; 0 for none. */
function createPrefixSearch(texts: ReadonlySet<string>): (text: string, at: number) => number {
  const sorted = [...texts].toSorted()
  const longest = sorted.reduce((length, text) => Math.max(length, text.length), 0)
  // The longest text that each other one starts with.
  const shorter = new Map<string, string>()
  const open: string[] = []
  for (const text of sorted) {
    while (open.length > 0 && !text.startsWith(open.at(-1)!)) open.pop()
    const last = open.at(-1)
    if (last !== undefined) shorter.set(text, last)
    open.push(text)
  }
  return (text, at) => {
    const rest = text.slice(at, at + longest)
    let low = 0
    let high = sorted.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (sorted[middle]! <= rest) low = middle + 1
      else high = middle
    }
    // No text has more characters in common with the rest than these two.
    const before = sorted[low - 1]
    const after = sorted[low]
    const common = Math.max(countCommon(rest, before), countCommon(rest, after))
    if (common >= MIN_START_LENGTH) return common
    let found = before
    while (found !== undefined && !rest.startsWith(found)) found = shorter.get(found)
    return found?.length ?? 0
  }
}

function countCommon(one: string, other = ''): number {
  let count = 0
  while (count < other.length && one.charCodeAt(count) === other.charCodeAt(count)) count += 1
  return count
}
