import t from 'tap'

import { patternOf } from '../../src/query/pattern/pattern.js'
import { InputPath } from '../../src/json/input-path.js'

/** A pattern, its options, a text that it matches and one that it does not (`never`: there is none). */
const patterns: readonly (readonly [pattern: string, options: string, yes: string, no: string])[] = [
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
  ['(a)++\\1', '', 'never', 'aaa'],
  ['\\Qa.b*\\E+', '', 'a.b**', 'axb'],
  ['[]a]', '', ']', 'b'],
  ['[^]a]', '', 'b', ']'],
  ['[\\w-]', '', '-', '.'],
  ['[\\Q-]\\E]', '', ']', 'a'],
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
  ['\\p{ greek }', '', 'α', 'a'],
  ['\\p{script=greek}', '', 'α', 'a'],
  ['(?=a)*b', '', 'b', 'a'],
  ['(?#c)a(?#d)b', '', 'ab', 'acb'],
  ['\\x41\\x{42}\\103\\o{104}', '', 'ABCD', 'ABC'],
  ['\\e\\a\\cA\\t\\f', '', '\x1b\x07\x01\t\f', 'ea'],
  ['[\\b]', '', '\b', 'b'],
  ['\\p{Lu}x', 'i', 'AX', 'ax'],
  ['\\p{^Lu}', '', 'a', 'A'],
  ['\\P{L&}', '', '1', 'a'],
  ['\\p{Greek}', '', 'α', 'a'],
  ['^\\p{Xan}+$', '', 'suárez9', ' '],
  ['(*UCP)^\\w+$', '', '박정수', 'a b'],
  ['(*UCP)\\bé\\b', '', 'é', 'éa'],
  ['(*UTF)[[:alpha:]]', '', 'a', 'é'],
  ['a(*FAIL)|b', '', 'b', 'a'],
  ['b(*ACCEPT)c', '', 'b', 'a'],
  ['(*THEN:X)[Bb]', '', 'b', 'a'],
  ['ſ', 'i', 'S', 't'],
  ['\u212a', 'i', 'k', 'l'],
  ['\\W', 'i', '\u212a', 'k'],
  ['ς', 'i', 'Σ', 's'],
  ['^.$', '', '😀', 'ab'],
  ['[😀-😂]', '', '😁', 'a'],
  ['a|', '', 'b', 'never'],
] // prettier-ignore

t.test('a pattern means what it means to PCRE2', async (t) => {
  for (const [pattern, options, yes, no] of patterns) {
    const { expression } = patternOf({ $regex: pattern, $options: options }, new InputPath('query'))
    if (yes !== 'never') t.ok(expression.test(yes), `/${pattern}/${options} matches ${yes}`)
    if (no !== 'never') t.notOk(expression.test(no), `/${pattern}/${options} does not match ${no}`)
  }
})

/** Patterns that PCRE2 refuses, and such that JavaScript has no equal of. */
const refused: readonly (readonly [pattern: string, message: string])[] = [
  ['(a', 'query has a ( that is not closed: "(a"'],
  ['a)', 'query has a ) that closes nothing: "a)"'],
  ['[a', 'query has a [ that is not closed: "[a"'],
  ['a\\', 'query ends in a backslash: "a\\\\"'],
  ['*a', 'query has a quantifier with nothing to repeat at 0: "*a"'],
  ['a**', 'query has a quantifier with nothing to repeat at 2: "a**"'],
  ['^*a', 'query has the quantifier * of a place: "^*a"'],
  ['\\b+', 'query has the quantifier + of a place: "\\\\b+"'],
  ['\\N{U+41}', 'query has \\N{, which is not supported: "\\\\N{U+41}"'],
  ['(?<=(a|bc))d', 'query looks behind for a text that has no fixed length: "(?<=(a|bc))d"'],
  ['a{3,2}', 'query has the quantifier {3,2}, which must count up, to at most 65535: "a{3,2}"'],
  ['a{70000}', 'query has the quantifier {70000}, which must count up, to at most 65535: "a{70000}"'],
  ['[z-a]', 'query has the range z-a, which runs backwards: "[z-a]"'],
  ['[a-\\d]', 'query has a range that ends with a set of characters: "[a-\\\\d]"'],
  ['[\\d-z]', 'query has a range that begins with a set of characters: "[\\\\d-z]"'],
  ['[[:foo:]]', 'query has the unknown class [:foo:]: "[[:foo:]]"'],
  ['\\p{Foo}', 'query has the unknown property "Foo": "\\\\p{Foo}"'],
  ['\\x{d800}', 'query has the number 55296 for a character, which there is not: "\\\\x{d800}"'],
  ['(?<=a+)b', 'query looks behind for a text that has no fixed length: "(?<=a+)b"'],
  ['\\1(a)', 'query refers to a group that is not before it: "\\\\1(a)"'],
  ['(a)?\\1', 'query refers to a group that may not have matched: not supported: "(a)?\\\\1"'],
  ['(?:(a)|b)\\1', 'query refers to a group that may not have matched: not supported: "(?:(a)|b)\\\\1"'],
  ['(?<x>a)(?<x>b)', 'query has two groups of the name "x": "(?<x>a)(?<x>b)"'],
  ['(?R)', 'query has (?R, which is not supported: "(?R)"'],
  ['(?(1)a|b)', 'query has (?(1, which is not supported: "(?(1)a|b)"'],
  ['(?|a|b)', 'query has (?|a|b, which is not supported: "(?|a|b)"'],
  ['(*COMMIT)a', 'query has (*COMMIT, which is not supported: "(*COMMIT)a"'],
  ['\\X', 'query has \\X, which is not supported: "\\\\X"'],
  ['\\Ka', 'query has \\K, which is not supported: "\\\\Ka"'],
  ['\\u0041', 'query has \\u, which is not supported: "\\\\u0041"'],
  ['a(?i)[\\x{400}-\\x{2400}]', 'query has the range Ѐ-␀, too long for (?i) in a part of a pattern: "a(?i)[\\\\x{400}-\\\\x{2400}]"'],
] // prettier-ignore

t.test('what is no pattern, or has no equal in JavaScript, is refused by name', async (t) => {
  for (const [pattern, message] of refused) {
    t.throws(() => patternOf({ $regex: pattern }, new InputPath('query')), { message }, pattern)
  }
})

const needsTimeout = (pattern: string): boolean =>
  patternOf({ $regex: pattern }, new InputPath('query')).needsTimeout

t.test('a pattern that repeats, or has very many ways to match, is costly', async (t) => {
  for (const pattern of [
    'a*',
    '(a+)+$',
    '(a|aa)+$',
    'a{2,}',
    '(a|a)'.repeat(11),
    'a?'.repeat(11),
  ]) {
    t.ok(needsTimeout(pattern), pattern)
  }
  for (const pattern of ['abc', '^a[bc]d$', 'a?b', '(a|b|c)d', '\\d{4}-\\d{2}', '(?i)sio2']) {
    t.notOk(needsTimeout(pattern), pattern)
  }
})
