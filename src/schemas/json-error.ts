import { parse, printParseErrorCode } from 'jsonc-parser'
import type { ParseError } from 'jsonc-parser'

/** What is wrong, in words, for the codes that a text which is not JSON can give. */
const WORDS: Readonly<Record<string, string>> = {
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
  InvalidEscapeCharacter: 'a string has an escape that JSON does not have',
}

/**
 * Where and how a text fails to be JSON: `line 2, column 9: a value is expected`. V8's own messages
 * have no position for half of the cases, in Node 20.
 * @param firstLine the number of the text's first line, where it is a part of a file
 */
export function locateJsonError(text: string, firstLine = 1): string {
  const errors: ParseError[] = []
  parse(text, errors, { disallowComments: true })
  const [first] = errors
  if (first === undefined) return 'it can not be read as JSON'
  const before = text.slice(0, first.offset).split('\n')
  const column = (before.at(-1)?.length ?? 0) + 1
  const line = firstLine + before.length - 1
  return `line ${line}, column ${column}: ${WORDS[printParseErrorCode(first.error)] ?? 'unreadable'}`
}
