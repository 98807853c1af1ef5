import { visit } from 'jsonc-parser'

/** Descriptions of the errors of jsonc-parser, in the order of its codes, which are from 1. */
const DESCRIPTIONS = [
  'a symbol that JSON does not have',
  'a number that JSON does not have',
  'a key in double quotes is expected',
  'a value is expected',
  'a colon is expected',
  'a comma is expected',
  'a closing brace is expected',
  'a closing bracket is expected',
  'the end is expected',
  'a comment, which JSON does not have',
  'a comment, which JSON does not have',
  'a string does not end on its line',
  'a number does not end',
  'a string has a \\u without four hexadecimal digits',
  'a string has an escape that JSON does not have',
  'a control character, which must be escaped',
]

/**
 * `line 2, column 9: a value is expected`. In Node 20, half of V8's own messages have no position.
 * @param firstLine its number, if the text is a part of a file
 */
export function locateJsonError(text: string, firstLine = 1): string {
  const first = findFirstError(text)
  if (first === undefined) return 'it can not be read as JSON'
  const before = text.slice(0, first.offset).split('\n')
  const column = (before.at(-1)?.length ?? 0) + 1
  const line = firstLine + before.length - 1
  const description = DESCRIPTIONS[first.code - 1] ?? 'unreadable'
  return `line ${line}, column ${column}: ${description}`
}

interface FoundError {
  readonly code: number
  readonly offset: number
}

function findFirstError(text: string): FoundError | undefined {
  const errors: FoundError[] = []
  try {
    visit(
      text,
      { onError: (code, offset) => void errors.push({ code, offset }) },
      { disallowComments: true },
    )
  } catch (error) {
    // The parser is recursive, so text with very many levels overflows the stack.
    if (!(error instanceof RangeError)) throw error
  }
  return errors[0]
}
