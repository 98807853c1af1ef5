import { parse, printParseErrorCode } from 'jsonc-parser'
import type { ParseError } from 'jsonc-parser'

/** Descriptions of jsonc-parser's error codes. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  InvalidSymbol: 'a symbol that JSON does not have',
  InvalidNumberFormat: 'a number that JSON does not have',
  PropertyNameExpected: 'a key in double quotes is expected',
  ValueExpected: 'a value is expected',
  ColonExpected: 'a colon is expected',
  CommaExpected: 'a comma is expected',
  CloseBraceExpected: 'a closing brace is expected',
  CloseBracketExpected: 'a closing bracket is expected',
  EndOfFileExpected: 'the end is expected',
  UnexpectedEndOfString: 'a string does not end on its line',
  InvalidCommentToken: 'a comment, which JSON does not have',
  UnexpectedEndOfComment: 'a comment, which JSON does not have',
  InvalidUnicode: 'a string has a \\u without four hexadecimal digits',
  InvalidCharacter: 'a control character, which must be escaped',
  InvalidEscapeCharacter: 'a string has an escape that JSON does not have',
}

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
  const description = DESCRIPTIONS[printParseErrorCode(first.error)] ?? 'unreadable'
  return `line ${line}, column ${column}: ${description}`
}

function findFirstError(text: string): ParseError | undefined {
  const errors: ParseError[] = []
  try {
    parse(text, errors, { disallowComments: true })
  } catch (error) {
    // The parser is recursive, so text with very many levels overflows the stack.
    if (!(error instanceof RangeError)) throw error
  }
  return errors[0]
}
