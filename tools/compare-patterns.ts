import { spawnSync } from 'node:child_process'

import { CatalogueError, InputPath } from '@materials-mock/json'
import { createRandom } from '@materials-mock/structures'
import { compilePattern } from '../packages/query/src/compile-pattern.js'

/**
 * Compares random patterns with PCRE2, whose library Debian has (`libpcre2-8.so.0`, called by Python): which are
 * accepted, and which texts they match. It ends with 1 for a difference, but for patterns that only we refuse.
 *
 *     npm run compare:patterns -- [count] [seed]
 */

const [count = 14_000, seed = 1] = process.argv.slice(2).map(Number)
const random = createRandom(seed)
const choose = <Value>(values: readonly Value[]): Value =>
  values[Math.floor(random() * values.length)]!

const LETTERS = [...'abAB01_ .-\nſkKé\u00a0', '\u{1f600}']

const ATOMS = [
  ...'abABk01_ .^$',
  ...String.raw`\d \D \s \S \w \W \b \B \A \z \Z \h \v \R \N \n \x41 \x{e9} \p{L} \p{Lu} \P{N} \Qa.\E`.split(
    ' ',
  ),
  ...String.raw`[ab] [^a] [a-c1] [[:alpha:]] [[:^digit:]] [\w-] []a] [^]b] [\S] [é-ü]`.split(' '),
  ...String.raw`\1 \2 \g{-1} (?i) (?-i) (?s) (?m) (?x) (?#c) (?^i)`.split(' '),
]

const GROUPS = ['(', '(', '(?:', '(?i:', '(?>', '(?=', '(?!', '(?<=', '(?<!', '(?<x>']

const QUANTIFIERS = ['', '', '', '', '*', '+', '?', '{2}', '{1,2}', '{,2}', '*?', '++', '?+']

function makePattern(depth: number): string {
  const parts = Array.from({ length: 1 + Math.floor(random() * 3) }, () => {
    const isGroup = depth > 0 && random() < 0.3
    const atom = isGroup ? `${choose(GROUPS)}${makePattern(depth - 1)})` : choose(ATOMS)
    return `${atom}${choose(QUANTIFIERS)}`
  })
  return random() < 0.15 ? `${parts.join('')}|${choose(ATOMS)}` : parts.join('')
}

const makeText = (): string =>
  Array.from({ length: Math.floor(random() * 6) }, () => choose(LETTERS)).join('')

interface Case {
  readonly pattern: string
  readonly options: string
  readonly texts: readonly string[]
}

const cases: Case[] = Array.from({ length: count }, () => ({
  pattern: `${random() < 0.1 ? '(*UCP)' : ''}${makePattern(2)}`,
  options: [...'imsx'].filter(() => random() < 0.2).join(''),
  texts: Array.from({ length: 60 }, makeText),
}))

/** Returns for each text whether it matches; undefined for a pattern that is refused. */
function match({ pattern, options, texts }: Case): readonly boolean[] | undefined {
  try {
    const { expression } = compilePattern(pattern, options, new InputPath('query'))
    return texts.map((text) => expression.test(text))
  } catch (error) {
    if (error instanceof CatalogueError) return undefined
    throw error
  }
}

/** Prints for each line of JSON whether PCRE2 matches the texts, or null. A byte has the result of a text. */
const PYTHON = String.raw`
import ctypes, json, sys
lib = ctypes.CDLL('libpcre2-8.so.0')
lib.pcre2_compile_8.restype = ctypes.c_void_p
lib.pcre2_match_data_create_8.restype = ctypes.c_void_p
data = ctypes.c_void_p(lib.pcre2_match_data_create_8(ctypes.c_uint32(50), None))
FLAGS = {'i': 0x8, 'm': 0x400, 's': 0x20, 'x': 0x80}
version = ctypes.create_string_buffer(64)
lib.pcre2_config_8(ctypes.c_uint32(11), version)
print(json.dumps(version.value.decode()))
for line in sys.stdin:
    case = json.loads(line)
    pattern = case['pattern'].encode()
    flags = 0x80000 | sum(FLAGS[each] for each in case['options'])
    code, at = ctypes.c_int(), ctypes.c_size_t()
    compiled = lib.pcre2_compile_8(pattern, ctypes.c_size_t(len(pattern)), ctypes.c_uint32(flags),
                                   ctypes.byref(code), ctypes.byref(at), None)
    if compiled is None:
        print('null')
        continue
    compiled = ctypes.c_void_p(compiled)
    def matches(text):
        text = text.encode()
        return lib.pcre2_match_8(compiled, text, ctypes.c_size_t(len(text)), ctypes.c_size_t(0),
                                 ctypes.c_uint32(0), data, None) > 0
    print(json.dumps([matches(each) for each in case['texts']]))
    lib.pcre2_code_free_8(compiled)
`

const { stdout, stderr, status } = spawnSync('python3', ['-c', PYTHON], {
  input: cases.map((each) => `${JSON.stringify(each)}\n`).join(''),
  encoding: 'utf8',
  maxBuffer: 2 ** 30,
})
if (status !== 0) throw new Error(`PCRE2 can't be asked: ${stderr}`)

const [version, ...expected] = stdout.trim().split('\n')
const counts = { both: 0, neither: 0, oursRefused: 0, theirsRefused: 0, pairs: 0, different: 0 }
for (const [index, each] of cases.entries()) {
  const theirs = JSON.parse(expected[index]!) as readonly boolean[] | null
  const ours = match(each)
  if (ours !== undefined && theirs !== null) {
    counts.both += 1
    for (const [at, text] of each.texts.entries()) {
      counts.pairs += 1
      if (ours[at] === theirs[at]) continue
      counts.different += 1
      console.log('differs:', JSON.stringify({ ...each, texts: [text], ours: ours[at] }))
    }
  } else if (theirs !== null) {
    counts.oursRefused += 1
  } else if (ours === undefined) {
    counts.neither += 1
  } else {
    counts.theirsRefused += 1
    console.log(
      'only ours accepts:',
      JSON.stringify({ pattern: each.pattern, options: each.options }),
    )
  }
}
console.log(
  `PCRE2 ${JSON.parse(version!)}, ${count} patterns: both accept ${counts.both}, both refuse ${counts.neither}, ` +
    `only ours refuses ${counts.oursRefused}, only PCRE2 refuses ${counts.theirsRefused}; ` +
    `${counts.different} of ${counts.pairs} pairs of a pattern and a text differ`,
)
process.exitCode = counts.different + counts.theirsRefused === 0 ? 0 : 1
