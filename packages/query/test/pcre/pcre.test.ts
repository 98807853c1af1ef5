import t from 'tap'

import { InputPath } from '@materials-mock/json'
import { compilePattern, MAX_TRANSLATION } from '../../src/compile-pattern.js'
import { translate } from '../../src/pcre/translate.js'
import { compileSelector } from '../../src/selector/compile-selector.js'

/** A pattern, its options, a text that it matches and one that it does not match (`never`: none). */
const PATTERNS: readonly (readonly [pattern: string, options: string, yes: string, no: string])[] = [
  ['abc', '', 'xabcx', 'ABC'],
  ['abc', 'i', 'xABCx', 'ab'],
  ['^a.c$', '', 'abc\n', 'a\nc'],
  ['^a.c$', 's', 'a\nc', 'abc\nd'],
  ['a.b', '', 'a\rb', 'a\nb'],
  ['^b$', 'm', 'a\nb\nc', 'a\rb'],
  ['^$', 'm', 'a\n\nb', 'a\n'],
  ['\\Ab', 'm', 'b', 'a\nb'],
  ['b\\Z', 'm', 'b\n', 'b\nc'],
  ['b\\z', '', 'ab', 'b\n'],
  ['a b # comment\n c', 'x', 'abc', 'a b c'],
  ['a\\ b[ ]c', 'x', 'a b c', 'abc'],
  ['a +', 'x', 'aaa', 'b'],
  ['(?x) a b (?-x) c', '', 'ab c', 'abc'],
  ['(?i)abc', '', 'ABC', 'AB'],
  ['a(?i)bc', '', 'aBC', 'ABC'],
  ['a(?i:b)c', '', 'aBc', 'aBC'],
  ['(a(?i)b|c)d', '', 'Cd', 'ABd'],
  ['(?i)a(?-i)b', '', 'Ab', 'aB'],
  ['(?i)[a-f](?-i)z', '', 'Fz', 'FZ'],
  ['(?^i:A)b', 's', 'ab', 'aB'],
  ['(?s).(?-s).', '', '\na', 'a\n'],
  ['\\d\\s\\w', '', '1 a', '1\u00a0a'],
  ['[\\S]', '', 'a', ' '],
  ['\\bfoo\\b', '', 'a foo b', 'food'],
  ['o\\B', '', 'foo', 'o'],
  ['\\h\\v\\R', '', '\u00a0\n\r\n', 'a'],
  ['\\N', '', 'a', '\n'],
  ['a++b', '', 'aab', 'b'],
  ['a++a', '', 'never', 'aaa'],
  ['(?>a|ab)c', '', 'ac', 'abc'],
  ['(a)\\1', '', 'aa', 'ab'],
  ['(?<x>a)b\\k<x>', '', 'aba', 'abb'],
  ['(?P<x>a)(?P=x)', '', 'aa', 'a'],
  ['(a)(b)\\g{-1}', '', 'abb', 'aba'],
  ['(a)(b)(c)(d)(e)(f)(g)(h)(i)(j)\\10', '', 'abcdefghijj', 'abcdefghia0'],
  // Without ten groups, PCRE2 reads an octal number.
  ['(a)\\10', '', 'a\b', 'aa0'],
  ['(a)++\\1', '', 'never', 'aaa'],
  ['\\Qa.b*\\E+', '', 'a.b**', 'axb'],
  ['[]a]', '', ']', 'b'],
  ['[^]a]', '', 'b', ']'],
  ['[\\w-]', '', '-', '.'],
  ['[&&!~]', '', '&', 'a'],
  ['[[:alpha:]_]', '', '_', '1'],
  ['[[:^digit:]]', '', 'a', '1'],
  ['[[:^lower:]]', 'i', '1', 'A'],
  ['[[:upper:]]', 'i', 'a', '1'],
  ['a{,3}', '', 'a{,3}', 'aaa'],
  ['}{]', '', '}{]', '}{'],
  ['(?<=ab|c)d', '', 'cd', 'd'],
  ['(?<!a)b', '', 'cb', 'ab'],
  ['(?:C[^x])+', '', 'C1', 'Cx'],
  ['[^a\\S]', '', ' ', 'b'],
  ['[a\\D]', '', 'b', '1'],
  ['\\bk\\b', 'i', 'K', 'ke'],
  ['o\\b', 'i', 'o\u017f', 'oo1'],
  ['(?=a)*b', '', 'b', 'a'],
  ['(?#c)a(?#d)b', '', 'ab', 'acb'],
  ['\\x41\\x{42}\\103\\o{104}', '', 'ABCD', 'ABC'],
  ['\\e\\a\\cA\\t\\f', '', '\x1b\x07\x01\t\f', 'ea'],
  ['[\\b]', '', '\b', 'b'],
  ['\\p{Lu}x', 'i', 'AX', 'ax'],
  ['\\p{^Lu}', '', 'a', 'A'],
  ['\\p{Greek}', '', 'α', 'a'],
  ['(*UCP)^\\w+$', '', '박정수', 'a b'],
  ['(*UCP)\\bé\\b', '', 'é', 'éa'],
  ['(*UTF)[[:alpha:]]', '', 'a', 'é'],
  ['ſ', 'i', 'S', 't'],
  ['\u212a', 'i', 'k', 'l'],
  ['\\W', 'i', '\u212a', 'k'],
  ['ς', 'i', 'Σ', 's'],
  ['^.$', '', '😀', 'ab'],
  ['[😀-😂]', '', '😁', 'a'],
  ['a|', '', 'b', 'never'],
  ['\\B', '', 'ab', 'a😀b'],
  ['(\\d)\\1', 'm', '11', '12'],
  ['[^\\w]', 'i', 'ſ', 's'],
  ['[a\\W]', 'i', '\u212a', 'k'],
  ['[A-Z]', 'i', 'ſ', '1'],
  ['[[:alpha:]]', 'i', 's', 'ſ'],
  ['[à-é]', 'i', 'É', 'Ý'],
  ['(?i)sio(?-i)N', '', 'SIoN', 'SIOn'],
  ['(*UCP)[[:blank:][:cntrl:]]', '', '\u00a0', 'a'],
  ['(*UCP)[[:punct:]]', '', '«', 'a'],
  ['(*UCP)\\s', '', '\u180e', 'a'],
  ['(*UCP)[^a\\W]', '', 'é', 'a'],
] // prettier-ignore

t.test('a pattern matches the same texts as in PCRE2', async (t) => {
  for (const [pattern, options, yes, no] of PATTERNS) {
    const { expression } = compilePattern(pattern, options, new InputPath('query'))
    if (yes !== 'never') t.ok(expression.test(yes), `/${pattern}/${options} matches ${yes}`)
    if (no !== 'never') t.notOk(expression.test(no), `/${pattern}/${options} does not match ${no}`)
  }
})

/** Patterns that PCRE2 rejects, or that have no exact equivalent in JavaScript. */
const INVALID: readonly (readonly [pattern: string, message: string])[] = [
  ['(a', 'query has an unclosed (: "(a"'],
  ['a)', 'query has an unmatched ): "a)"'],
  ['[a', 'query has an unclosed [: "[a"'],
  ['a\\', 'query ends with a backslash: "a\\\\"'],
  ['*a', 'query has a quantifier with nothing to repeat at position 0: "*a"'],
  ['a**', 'query has a quantifier with nothing to repeat at position 2: "a**"'],
  ['^*a', 'query has the quantifier * on an assertion: "^*a"'],
  ['\\b+', 'query has the quantifier + on an assertion: "\\\\b+"'],
  ['\\N{U+41}', 'query has \\N{, which is not supported: "\\\\N{U+41}"'],
  ['(?<=(a|bc))d', 'query has a lookbehind whose branches are not of fixed length: "(?<=(a|bc))d"'],
  ['a{3,2}', 'query has the quantifier {3,2}, whose counts are out of order: "a{3,2}"'],
  ['a{70000}', 'query has the quantifier {70000}, which counts beyond 65535: "a{70000}"'],
  ['[z-a]', 'query has the range z-a, which is out of order: "[z-a]"'],
  ['[a-\\d]', 'query has a range that ends with a set of characters: "[a-\\\\d]"'],
  ['[\\d-z]', 'query has a range that begins with a set of characters: "[\\\\d-z]"'],
  ['[[:foo:]]', 'query has the unknown class [:foo:]: "[[:foo:]]"'],
  ['\\p{Foo}', 'query has the property "Foo", which is neither a general category nor a script: "\\\\p{Foo}"'],
  ['\\x{d800}', 'query has 55296 as a character code, which is not a Unicode one: "\\\\x{d800}"'],
  ['(?<=a+)b', 'query has a lookbehind whose branches are not of fixed length: "(?<=a+)b"'],
  ['\\1(a)', 'query has a backreference to a group that does not precede it: "\\\\1(a)"'],
  ['(a)?\\1', 'query has a backreference to a group that may not have matched, which is not supported: "(a)?\\\\1"'],
  ['(?:(a)|b)\\1', 'query has a backreference to a group that may not have matched, which is not supported: "(?:(a)|b)\\\\1"'],
  ['(?<x>a)(?<x>b)', 'query has two groups named "x": "(?<x>a)(?<x>b)"'],
  ['(?R)', 'query has (?R, which is not supported: "(?R)"'],
  ['(?(1)a|b)', 'query has (?(1, which is not supported: "(?(1)a|b)"'],
  ['(?|a|b)', 'query has (?|a|b, which is not supported: "(?|a|b)"'],
  ['(*COMMIT)a', 'query has the verb (*COMMIT), which is not supported: "(*COMMIT)a"'],
  ['(*FAIL)', 'query has the verb (*FAIL), which is not supported: "(*FAIL)"'],
  ['(*ACCEPT)', 'query has the verb (*ACCEPT), which is not supported: "(*ACCEPT)"'],
  ['(*THEN:X)a', 'query has the verb (*THEN:X), which is not supported: "(*THEN:X)a"'],
  ['a(*UTF)', 'query has the verb (*UTF), which is not supported: "a(*UTF)"'],
  ['\\p{Xan}', 'query has the property "Xan", which is neither a general category nor a script: "\\\\p{Xan}"'],
  ['\\p{greek}', 'query has the property "greek", which is neither a general category nor a script: "\\\\p{greek}"'],
  ['\\p{L&}', 'query has \\p, which is not supported: "\\\\p{L&}"'],
  ['(?xx)[a b]', 'query has (?xx, which is not supported: "(?xx)[a b]"'],
  ['[\\Qa\\E]', 'query has \\Q or \\E within a [...], which is not supported: "[\\\\Qa\\\\E]"'],
  ['[:alpha:]', 'query has a POSIX class that is not within a [...]: "[:alpha:]"'],
  ['[[.a.]]', 'query has the unknown class [.a.]: "[[.a.]]"'],
  ['(*UCP)[[:graph:]]', 'query has [:graph:] after (*UCP), which is not supported: "(*UCP)[[:graph:]]"'],
  ['(?i)(a)\\1', 'query has a backreference where case is ignored, which is not supported: "(?i)(a)\\\\1"'],
  ['(?>(|a)*)b', 'query repeats a possibly empty match where there is no backtracking, which is not supported: "(?>(|a)*)b"'],
  ['(?<=a++)b', 'query has an atomic group or possessive quantifier in a lookbehind, which is not supported: "(?<=a++)b"'],
  ['\\x{zz}', 'query has \\x, which is not supported: "\\\\x{zz}"'],
  ['\\X', 'query has \\X, which is not supported: "\\\\X"'],
  ['\\Ka', 'query has \\K, which is not supported: "\\\\Ka"'],
  ['\\u0041', 'query has \\u, which is not supported: "\\\\u0041"'],
] // prettier-ignore

t.test('the error for an invalid or unsupported pattern quotes the pattern', async (t) => {
  for (const [pattern, message] of INVALID)
    t.throws(() => compilePattern(pattern, '', new InputPath('query')), { message }, pattern)
})

const needsTimeout = (pattern: string): boolean =>
  compileSelector({ name: { $regex: pattern } }).needsTimeout

t.test('a pattern that repeats, or has many ways to match, needs a timeout', async (t) => {
  for (const pattern of ['a*', '(a+)+$', '(a|aa)+$', 'a{2,}', '(a|a)'.repeat(4), 'a?'.repeat(4)])
    t.ok(needsTimeout(pattern), pattern)

  for (const pattern of ['abc', '^a[bc]d$', 'a?b', '(a|b|c)d', '\\d{4}-\\d{2}', '(?i)sio2'])
    t.notOk(needsTimeout(pattern), pattern)
})

/** Patterns of about 1,000 characters whose translation or compilation could grow out of hand. */
const HOSTILE: readonly (readonly [pattern: string, options: string])[] = [
  ['x'.repeat(1000), ''],
  ['k'.repeat(1000), 'i'],
  ['[a-\\x{24f}]'.repeat(83), 'i'],
  ['[\u0100-\u{10000}]'.repeat(166), 'i'],
  ['\\b'.repeat(240), ''],
  ['\\h'.repeat(200), ''],
  ['\\R'.repeat(300), ''],
  ['^'.repeat(400), 'm'],
  ['a++'.repeat(110), 'i'],
  ['(?>'.repeat(120) + 'a' + ')'.repeat(120), ''],
  ['(?:'.repeat(5) + 'a' + ')++'.repeat(5), ''],
  ['('.repeat(200) + 'a' + ')*'.repeat(200), ''],
  ['(?:[^\\w\\S]|a)?'.repeat(60), 'i'],
  ['((a{1,1000}){1,1000}){1,1000}', ''],
] // prettier-ignore

t.test('a translation is at most 64 times as long as its pattern', async (t) => {
  for (const [pattern, options] of HOSTILE) {
    t.ok(pattern.length <= 1000, 'the pattern itself is within its limit')
    t.ok(compilePattern(pattern, options, new InputPath('query')))
    const { length } = translate(pattern, options).source
    t.ok(
      length <= Math.min(64 * pattern.length, MAX_TRANSLATION),
      `${pattern.slice(0, 20)}: ${length}`,
    )
  }
})

t.test('the translation grows in proportion to the pattern', async (t) => {
  const growing: ((count: number) => string)[] = [
    (count) => '\\b'.repeat(count),
    (count) => 'a++'.repeat(count),
    (count) => '(?>'.repeat(count) + 'a' + ')'.repeat(count),
    (count) => '(?:'.repeat(count) + 'a' + '){2,3}'.repeat(count),
    (count) => '(?='.repeat(count) + 'k' + ')'.repeat(count),
    (count) => '[^\\S\\W]'.repeat(count),
  ]
  for (const pattern of growing) {
    const [single, double] = [50, 100].map((count) => translate(pattern(count), 'i').source.length)
    // Names of groups, such as a100, add a few characters.
    t.ok((double as number) <= 2.1 * (single as number), pattern(2))
  }
})

t.test('the error for a pattern that is too large to compile names the limit', async (t) => {
  const tooLarge: readonly (readonly [pattern: string, options: string, message: RegExp])[] = [
    ['(?:'.repeat(251) + ')'.repeat(240), '', /^query must nest at most 250 groups: /],
    ['\\b'.repeat(500), '', /^query must have a compiled size of at most 2000 nodes: /],
    ['.'.repeat(1000), '', /compiled size of at most 2000 nodes/],
    ['a++'.repeat(330), '', /compiled size of at most 2000/],
    ['(?:'.repeat(6) + 'a' + '){4}'.repeat(6), '', /compiled size of at most 2000/],
    ['\\h'.repeat(400), '', /^query must translate to at most 16000 characters, not \d+: /],
  ] // prettier-ignore
  for (const [pattern, options, message] of tooLarge) {
    const error = { code: 'BOUND_EXCEEDED', message }
    t.throws(() => compilePattern(pattern, options, new InputPath('query')), error)
  }
  const { expression } = compilePattern('(a)'.repeat(251), '', new InputPath('query'))
  t.ok(expression.test('a'.repeat(251)), 'groups side by side are not nested')
})
