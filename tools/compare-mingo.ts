import { Query } from 'mingo'

import { buildApp } from '../src/index.js'
import { readCorpus } from '../packages/query/test/corpus.js'
import type { CorpusCase, CorpusGroup } from '../packages/query/test/corpus.js'

/**
 * Answers MongoDB's own cases, which `packages/query/test/corpus` has, with this server and with the operators of
 * mingo alone: queries that MongoDB answers, and those that it refuses. It prints a table by families, and ends with 1 if
 * the server misses a case.
 *
 *     npm run compare:mingo
 */

/** How many cases there are, and how many of them have MongoDB's result. */
class Tally {
  cases = 0
  ours = 0
  mingo = 0

  add({ cases, ours, mingo }: Tally): void {
    this.cases += cases
    this.ours += ours
    this.mingo += mingo
  }

  toString(): string {
    return `${this.cases} | ${this.ours} | ${this.mingo}`
  }
}

type Items = readonly Readonly<Record<string, unknown>>[]

/** Returns what a case says of the items of a list: their `_id`s, or all of them with the order of their keys. */
const describe = ({ ids, result }: CorpusCase, items?: Items): string =>
  JSON.stringify({
    ids: ids && (items === undefined ? ids : items.map(({ _id }) => _id)),
    items: result && (items ?? result),
  })

/** Whether an answer is that of MongoDB. Without items, it is an error: which one does not matter. */
const isRight = (each: CorpusCase, items: Items | undefined): boolean =>
  each.error === undefined
    ? items !== undefined && describe(each, items) === describe(each)
    : items === undefined

/** Finds with mingo, which may change the items, so it gets a copy. */
function findWithMingo({ items }: CorpusGroup, { query = {}, projection }: CorpusCase) {
  const { sort, skip, limit, fields } = Object(projection)
  try {
    const cursor = new Query(structuredClone(query)).find(structuredClone([...items]), fields ?? {})
    if (sort !== undefined) cursor.sort(sort)
    if (skip !== undefined) cursor.skip(skip)
    return cursor.limit(limit ?? 50).all() as Items
  } catch {
    return undefined
  }
}

async function main(): Promise<void> {
  const groups = readCorpus()
  const fixtures = Object.fromEntries(groups.map(({ items }, index) => [`g-${index}`, [...items]]))
  const app = await buildApp({ fixtures, logLevel: 'silent' })
  const login = await app.inject({
    method: 'POST',
    url: '/api/2018-10-01/login',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'username=demo&password=demo',
  })
  const find = async (index: number, { query = {}, projection }: CorpusCase) => {
    const parameters = new URLSearchParams({ query: JSON.stringify(query) })
    if (projection !== undefined) parameters.set('projection', JSON.stringify(projection))
    const url = `/api/2018-10-01/g-${index}?${parameters}`
    const response = await app.inject({ url, headers: login.json() })
    return response.statusCode === 200 ? (response.json().data as Items) : undefined
  }

  const families = new Map<string, { readonly answers: Tally; readonly refusals: Tally }>()
  const all = { answers: new Tally(), refusals: new Tally() }
  for (const [index, group] of groups.entries()) {
    const name = group.name.replace(/\.json.*/, '')
    const family = families.get(name) ?? { answers: new Tally(), refusals: new Tally() }
    families.set(name, family)
    for (const each of group.cases) {
      const tally = each.error === undefined ? family.answers : family.refusals
      tally.cases += 1
      if (isRight(each, await find(index, each))) tally.ours += 1
      if (isRight(each, findWithMingo(group, each))) tally.mingo += 1
    }
  }
  await app.close()

  console.log('| family | answers | ours | mingo | refusals | ours | mingo |')
  console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: |')
  for (const [name, { answers, refusals }] of families) {
    console.log(`| ${name} | ${answers} | ${refusals} |`)
    all.answers.add(answers)
    all.refusals.add(refusals)
  }
  console.log(`| all | ${all.answers} | ${all.refusals} |`)
  const isWhole = [all.answers, all.refusals].every(({ cases, ours }) => ours === cases)
  process.exitCode = isWhole ? 0 : 1
}

await main()
