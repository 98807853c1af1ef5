import { readFileSync } from 'node:fs'

import t from 'tap'

import { OPERATOR_NAMES } from '../../scripts/bundle-ui.js'
import type { Json } from '../../src/json/json.js'
import { EXPRESSION_OPERATORS } from '../../src/query/expressions/expression-operators.js'
import { DocumentedQuery } from '../../src/query/list-query.js'
import {
  FIELD_OPERATORS,
  TOP_LEVEL_OPERATORS,
} from '../../src/query/selector/operators/query-operators.js'
import { UPDATE_OPERATORS } from '../../src/query/update/compile-update.js'
import { readCorpus } from './corpus.js'

// What docs/contributing.md says that an operator needs, beside its definition.

const read = (path: string): string =>
  readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

const DOCS = read('docs/query-language.md')

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
  new RegExp(`\\${name}\\b`).test(read(`test/query/${file}`))

/** Whether a table of the page has a row for an operator. */
const hasRow = (section: string, name: string): boolean => {
  const [, text = ''] = DOCS.split(`\n## ${section}\n`)
  return new RegExp(`^\\| \`\\${name}\` `, 'm').test(text.split(/\n## /)[0] ?? '')
}

const hasType = (file: string, name: string): boolean =>
  new RegExp(`^  readonly \\${name}\\?: `, 'm').test(read(`src/client/${file}`))

t.test('every query operator has cases, a row, a type, a schema and a completion', async (t) => {
  const operators = { ...TOP_LEVEL_OPERATORS, ...FIELD_OPERATORS }
  const queries = readCorpus().flatMap(({ cases }) =>
    cases.filter(({ error }) => error === undefined).map(({ query }) => query),
  )
  t.same(
    findMissing(operators, (name) => queries.some((query) => hasKey(query, name))),
    [],
    'test/query/corpus',
  )
  t.same(
    findMissing(operators, (name) => hasRow('Query operators', name)),
    [],
    'docs/query-language.md',
  )
  t.same(
    findMissing(operators, (name) => hasType('query-types.ts', name)),
    [],
    'src/client/query-types.ts',
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
    'test/query/update/update-operators.test.ts',
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
    'src/client/patch-types.ts',
  )
})

t.test('every operator of expressions has cases and a row', async (t) => {
  const operators = Object.fromEntries(EXPRESSION_OPERATORS)
  t.same(
    findMissing(operators, (name) => hasCase('expressions/operators.test.ts', name)),
    [],
    'test/query/expressions/operators.test.ts',
  )
  // The page names $const as another name of $literal.
  t.same(
    findMissing(operators, (name) => hasRow('Expressions', name)),
    ['$const'],
    'docs/query-language.md',
  )
})
