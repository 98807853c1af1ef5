import { readFileSync } from 'node:fs'

import t from 'tap'

import type { Json } from '@materials-mock/json'
import {
  DocumentedQuery,
  EXPRESSION_OPERATORS,
  FIELD_OPERATORS,
  TOP_LEVEL_OPERATORS,
  UPDATE_OPERATORS,
} from '@materials-mock/query'
import { OPERATOR_NAMES } from '../../scripts/bundle-ui.js'
import { readCorpus } from '../../packages/query/test/corpus.js'

// What docs/contributing.md says that an operator needs, beside its definition.

const read = (path: string): string =>
  readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

const DOCS = read('docs/query-language.md')
const EXPRESSIONS = read('docs/expressions.md')

/** Returns the operators for which something is missing. */
const findMissing = (operators: object, isThere: (name: string) => boolean): string[] =>
  Object.keys(operators).filter((name) => !isThere(name))

/** Whether JSON has a key, at any depth. */
const hasKey = (value: Json | undefined, key: string): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(value).some(([name, each]) => name === key || hasKey(each as Json, key))

/** Whether a test names an operator. */
const hasCase = (file: string, name: string): boolean =>
  new RegExp(`\\${name}\\b`).test(read(`packages/query/test/${file}`))

/** Whether a table of the page has a row for an operator. */
const hasRow = (section: string, name: string): boolean => {
  const [, text = ''] = DOCS.split(`\n## ${section}\n`)
  return startsRow(text.split(/\n## /)[0] ?? '', name)
}

const startsRow = (text: string, name: string): boolean =>
  new RegExp(`^\\| \`\\${name}\` `, 'm').test(text)

const hasType = (file: string, name: string): boolean =>
  new RegExp(`^  readonly \\${name}\\?: `, 'm').test(read(`packages/client/src/${file}`))

t.test('every query operator has cases, a row, a type, a schema and a completion', async (t) => {
  const operators = { ...TOP_LEVEL_OPERATORS, ...FIELD_OPERATORS }
  const queries = readCorpus().flatMap(({ cases }) =>
    cases.filter(({ error }) => error === undefined).map(({ query }) => query),
  )
  t.same(
    findMissing(operators, (name) => queries.some((query) => hasKey(query, name))),
    [],
    'packages/query/test/corpus',
  )
  t.same(
    findMissing(operators, (name) => hasRow('Query operators', name)),
    [],
    'docs/query-language.md',
  )
  t.same(
    findMissing(operators, (name) => hasType('query-types.ts', name)),
    [],
    'packages/client/src/query-types.ts',
  )
  const schema = JSON.stringify(DocumentedQuery)
  t.same(
    findMissing(operators, (name) => schema.includes(`"${name}":`)),
    [],
  )
  const completed = new Set([...OPERATOR_NAMES.field, ...OPERATOR_NAMES.topLevel])
  t.same(
    findMissing(operators, (name) => completed.has(name)),
    [],
  )
})

t.test('every update operator has cases, a row and a type', async (t) => {
  t.same(
    findMissing(UPDATE_OPERATORS, (name) => hasCase('update/update-operators.test.ts', name)),
    [],
    'packages/query/test/update/update-operators.test.ts',
  )
  // The result of $currentDate changes, so it is no example.
  t.same(
    findMissing(UPDATE_OPERATORS, (name) => hasRow('Update operators', name)),
    ['$currentDate'],
    'docs/query-language.md',
  )
  t.same(
    findMissing(UPDATE_OPERATORS, (name) => hasType('patch-types.ts', name)),
    [],
    'packages/client/src/patch-types.ts',
  )
})

t.test('every operator of expressions has cases and a row', async (t) => {
  const operators = Object.fromEntries(EXPRESSION_OPERATORS)
  t.same(
    findMissing(operators, (name) => hasCase('expressions/operators.test.ts', name)),
    [],
    'packages/query/test/expressions/operators.test.ts',
  )
  // The page names $const as another name of $literal.
  t.same(
    findMissing(operators, (name) => startsRow(EXPRESSIONS, name)),
    ['$const'],
    'docs/expressions.md',
  )
})
