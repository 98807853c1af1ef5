import { NOT_A_DOUBLE, throwViolation, violation } from './find-violation.js'
import type { JsonRules, Violation } from './find-violation.js'
import type { InputPath } from './input-path.js'
import type { Json } from './json.js'
import { quote } from './quote.js'

/** The number of values, keys and thousands of characters of strings that one step parses. */
const STEP_SIZE = 1000

/** An object or array that is not complete yet. */
interface Frame {
  readonly container: Record<string, Json> | Json[]
  /** The key of the next value; the position in an array. */
  key: string | number
}

/**
 * Parses JSON as `parseStrictJson` does, and yields after each step of about half a millisecond:
 * `JSON.parse` of 1 MB, with the checks of its value, takes up to 100 ms. It takes about as long.
 * @throws the path's error for text that is not JSON, with its place, for a duplicate key, or for a
 * value that `rules` do not allow; its limitError for a value that exceeds a limit of `rules`
 */
export function* parseJsonInSteps(
  text: string,
  path: InputPath,
  rules: JsonRules,
): Generator<void, Json, void> {
  const scanner = new Scanner(text, path)
  const open: Frame[] = []
  let left = STEP_SIZE

  const refuse = (found: Violation): never =>
    throwViolation(
      { ...found, keys: found.kind === 'depth' ? [] : open.map(({ key }) => key) },
      path,
    )

  /** Reads the key of the next member, up to its value. */
  function readKey(frame: Frame): void {
    const key = scanner.readKey()
    const message = rules.checkKey?.(key)
    if (message !== undefined) throw toPath(open.slice(0, -1), path).error(message)
    if (Object.hasOwn(frame.container, key))
      throw toPath(open.slice(0, -1), path).error(`has the key ${quote(key)} twice; name it once`)
    frame.key = key
  }

  for (;;) {
    let value: Json
    const start = scanner.skipBlanks()
    if (start === OPEN_BRACE || start === OPEN_BRACKET) {
      if (open.length === rules.maxDepth)
        refuse(violation(`must have at most ${rules.maxDepth} levels of JSON`, 'depth'))
      scanner.index += 1
      const isArray = start === OPEN_BRACKET
      const frame: Frame = { container: isArray ? [] : {}, key: 0 }
      if (scanner.accept(isArray ? CLOSE_BRACKET : CLOSE_BRACE)) {
        value = frame.container
      } else {
        open.push(frame)
        if (!isArray) readKey(frame)
        continue
      }
    } else {
      value = scanner.readScalar(start)
      if (typeof value === 'number' && !Number.isFinite(value)) refuse(violation(NOT_A_DOUBLE))
      if (typeof value === 'string') left -= value.length / 1000
    }
    // Adds the value to its container, and completes all containers that end with it.
    for (;;) {
      const frame = open.at(-1)
      if (frame === undefined) {
        scanner.expectEnd()
        return value
      }
      const { container } = frame
      const isArray = Array.isArray(container)
      if (isArray) frame.key = container.push(value)
      else if (frame.key !== '__proto__') container[frame.key] = value
      else Object.defineProperty(container, frame.key, { value, ...PROPERTY }) // as JSON.parse does
      if (scanner.accept(COMMA)) {
        if (!isArray) readKey(frame)
        break
      }
      if (!scanner.accept(isArray ? CLOSE_BRACKET : CLOSE_BRACE))
        scanner.fail('a comma is expected')
      open.pop()
      value = container
    }
    left -= 1
    if (left > 0) continue
    yield
    left = STEP_SIZE
  }
}

const PROPERTY = { writable: true, enumerable: true, configurable: true }

const toPath = (frames: readonly Frame[], root: InputPath): InputPath =>
  frames.reduce<InputPath>((parent, { key }) => parent.child(key), root)

const [TAB, NEWLINE, RETURN, SPACE] = [0x09, 0x0a, 0x0d, 0x20]
const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a]
const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d]

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y

const LITERALS: readonly (readonly [text: string, value: Json])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
]

/** Reads the tokens of a JSON text. */
class Scanner {
  index = 0
  readonly #text: string
  readonly #path: InputPath

  constructor(text: string, path: InputPath) {
    this.#text = text
    this.#path = path
  }

  /** Returns the code of the next character that is no blank; NaN at the end. */
  skipBlanks(): number {
    for (;;) {
      const code = this.#text.charCodeAt(this.index)
      if (code !== SPACE && code !== NEWLINE && code !== RETURN && code !== TAB) return code
      this.index += 1
    }
  }

  /** Reads a character, if it is the next one that is no blank. */
  accept(code: number): boolean {
    if (this.skipBlanks() !== code) return false
    this.index += 1
    return true
  }

  /** Reads a key and its colon. */
  readKey(): string {
    if (this.skipBlanks() !== QUOTE) this.fail('a key in double quotes is expected')
    const key = this.#readString()
    if (!this.accept(COLON)) this.fail('a colon is expected')
    return key
  }

  /** Reads a string, a number or a literal that starts with a character. */
  readScalar(start: number): Json {
    if (start === QUOTE) return this.#readString()
    NUMBER.lastIndex = this.index
    if (NUMBER.test(this.#text)) {
      const number = Number(this.#text.slice(this.index, NUMBER.lastIndex))
      this.index = NUMBER.lastIndex
      return number
    }
    const literal = LITERALS.find(([text]) => this.#text.startsWith(text, this.index))
    if (literal === undefined) this.fail('a value is expected')
    this.index += literal[0].length
    return literal[1]
  }

  expectEnd(): void {
    if (!Number.isNaN(this.skipBlanks())) this.fail('the end is expected')
  }

  /** @throws the path's error with the place of the next character */
  fail(expected: string): never {
    let line = 1
    let lineStart = 0
    for (let end; (end = this.#text.indexOf('\n', lineStart)) !== -1 && end < this.index; line += 1)
      lineStart = end + 1
    const column = this.index - lineStart + 1
    throw this.#path.error(`is not JSON: line ${line}, column ${column}: ${expected}`)
  }

  /** `JSON.parse` copies the string, which would otherwise keep the whole text in memory. */
  #readString(): string {
    const end = this.#findEnd()
    try {
      const value = JSON.parse(this.#text.slice(this.index, end + 1)) as string
      this.index = end + 1
      return value
    } catch {
      return this.fail('a string with a character or an escape that JSON does not have')
    }
  }

  /** Returns the index of the quote that ends the string. */
  #findEnd(): number {
    for (let end = this.index + 1; ; end += 1) {
      end = this.#text.indexOf('"', end)
      if (end === -1) this.fail('a string does not end on its line')
      let backslashes = 0
      while (this.#text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes += 1
      if (backslashes % 2 === 0) return end
    }
  }
}
