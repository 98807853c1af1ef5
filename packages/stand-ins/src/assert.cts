/** `node:assert` for a browser: a function, as packages `require` it. */
class AssertionError extends Error {
  override readonly name = 'AssertionError'
  readonly code = 'ERR_ASSERTION'
  readonly actual: unknown
  readonly expected: unknown

  constructor({ message, actual, expected }: Record<'message' | 'actual' | 'expected', unknown>) {
    super(String(message))
    this.actual = actual
    this.expected = expected
  }
}

function assert(value: unknown, message?: string): asserts value {
  if (!value) throw new AssertionError({ message, actual: value, expected: true })
}

assert.AssertionError = AssertionError

export = assert
