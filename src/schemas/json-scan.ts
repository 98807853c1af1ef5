import { quote } from './place.js'
import type { Place } from './place.js'

/**
 * Goes through a text once, before JSON.parse, for what that does not tell or refuse: where the
 * text stops being JSON (RFC 8259), a key that stands twice in one object (JSON.parse keeps the
 * last, and the other would be lost without a word), the key `__proto__`, which reaches into
 * JavaScript's prototypes, and more levels than `maxDepth`.
 */
export function scanJson(text: string, place: Place, maxDepth: number): void {
  const scan = new Scan(text, place, maxDepth)
  scan.value(place, 1)
  scan.end()
}

const BLANK = /[ \t\n\r]*/y
// Runs of plain characters between escapes: a choice at each character would need stack for each.
const STRING = /"[ !#-[\]-\u{10ffff}]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[ !#-[\]-\u{10ffff}]*)*"/uy
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y

class Scan {
  readonly #text: string
  readonly #place: Place
  readonly #maxDepth: number
  #at = 0

  constructor(text: string, place: Place, maxDepth: number) {
    this.#text = text
    this.#place = place
    this.#maxDepth = maxDepth
  }

  value(place: Place, depth: number): void {
    this.#match(BLANK)
    const open = this.#text[this.#at]
    if (open !== '{' && open !== '[') {
      if (this.#match(STRING) === undefined && this.#match(SCALAR) === undefined)
        throw this.#error()
    } else if (depth > this.#maxDepth) {
      throw this.#place.exceeds(`must have at most ${this.#maxDepth} levels of JSON`)
    } else if (open === '{') this.#object(place, depth)
    else this.#list(place, depth)
    this.#match(BLANK)
  }

  end(): void {
    if (this.#at < this.#text.length) throw this.#error()
  }

  #object(place: Place, depth: number): void {
    const keys = new Set<string>()
    this.#entries('}', () => {
      const key = this.#match(STRING)
      if (key === undefined) throw this.#error()
      const name = JSON.parse(key) as string
      if (name === '__proto__') throw place.invalid('must not name "__proto__" in a key')
      if (keys.has(name)) throw place.invalid(`has the key ${quote(name)} twice; name it once`)
      keys.add(name)
      this.#match(BLANK)
      this.#expect(':')
      this.value(place.at(name), depth + 1)
    })
  }

  #list(place: Place, depth: number): void {
    let index = 0
    this.#entries(']', () => {
      this.value(place.at(index), depth + 1)
      index += 1
    })
  }

  /** What stands between brackets, with commas in between. */
  #entries(close: string, entry: () => void): void {
    this.#at += 1
    this.#match(BLANK)
    if (this.#accept(close)) return
    for (;;) {
      entry()
      if (this.#accept(close)) return
      this.#expect(',')
      this.#match(BLANK)
    }
  }

  #match(expression: RegExp): string | undefined {
    expression.lastIndex = this.#at
    const found = expression.exec(this.#text)?.[0]
    this.#at += found?.length ?? 0
    return found
  }

  #accept(char: string): boolean {
    const seen = this.#text[this.#at] === char
    if (seen) this.#at += 1
    return seen
  }

  #expect(char: string): void {
    if (!this.#accept(char)) throw this.#error()
  }

  #error(): Error {
    if (this.#text.trim() === '') return this.#place.invalid('must be a JSON object, not empty')
    if (this.#at >= this.#text.length)
      return this.#place.invalid('must be JSON, but ends too early')
    const rest = this.#text.slice(this.#at, this.#at + 20)
    return this.#place.invalid(`must be JSON, but has ${quote(rest)} at character ${this.#at}`)
  }
}
