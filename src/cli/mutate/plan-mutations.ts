import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'

import {
  compileCheck,
  describeClosest,
  isJsonArray,
  isJsonObject,
  parseIfJson,
  quote,
} from '@materials-mock/json'
import type { Json } from '@materials-mock/json'
import { createRandom, shuffle } from '@materials-mock/structures'
import { CHANGES } from '../../controls/mutation/mutation.js'
import type { Change, Mutation } from '../../controls/mutation/mutation.js'
import { toOtherType } from '../../controls/mutation/mutator.js'
import type { Observation } from '../../controls/mutation/observer.js'
import { compilePathGlob } from '../../controls/path-glob.js'
import { SCHEMA_FIELDS } from '@materials-mock/api'
import type { Use } from '@materials-mock/api'
import { OptionsInvalid } from '../../errors.js'
import type { RouteResult } from './format-mutations.js'

/** The requests of the tests to one route, and the responses. */
export interface ObservedUse {
  readonly method: string
  readonly path: string
  readonly isSorted: boolean
  readonly isQueried: boolean
  readonly isLimited: boolean
  /** The URL and the text of a success. */
  readonly example: { readonly url: string; readonly answer: string } | undefined
  /** The largest number of items of a list; undefined if the response is no list. */
  readonly size: number | undefined
  /** The fields that the requests name in queries, sorts and projections. */
  readonly named: ReadonlySet<string>
  /** A value of each field, by its path, which goes through arrays. */
  readonly fields: ReadonlyMap<string, Json>
}

/** The uses that a run of the tests has made of its mocks. */
export interface Observed {
  readonly requests: number
  readonly uses: readonly ObservedUse[]
}

/** Reads the files that the mocks of a run have written. The uses are sorted, whatever order the tests ran in. */
export async function readObserved(folder: string): Promise<Observed> {
  const files = (await readdir(folder)).map((file) => readFile(join(folder, file), 'utf8'))
  const lines = (await Promise.all(files)).flatMap((text) => text.split('\n')).toSorted()
  const observations = lines.map((line): unknown => parseIfJson(line)).filter(isObservation)
  const keys = [...new Set(observations.map(toKey))].toSorted()
  return {
    requests: observations.length,
    uses: keys
      .map((key) => toObservedUse(observations.filter((each) => toKey(each) === key)))
      .filter(({ path }) => path !== '*'),
  }
}

/** A line without an end is no JSON: the process was killed. */
const isObservation = (line: unknown): line is Observation => isJsonObject(line)

const toKey = ({ use }: Observation): string => `${use.path} ${use.method}`

function toObservedUse(observations: readonly Observation[]): ObservedUse {
  const [{ use: { method, path } } = { use: { method: '', path: '' } }] = observations
  const has = (list: (use: Use) => readonly string[]): boolean =>
    observations.some(({ use }) => list(use).length > 0)
  const fields = new Map<string, Json>()
  let [size, example]: [number | undefined, ObservedUse['example']] = [undefined, undefined]
  for (const { url, answer } of observations) {
    const body = answer === undefined ? undefined : parseIfJson(answer)
    if (answer === undefined || !isJsonObject(body)) continue
    example ??= { url, answer }
    if (Array.isArray(body.data)) size = Math.max(size ?? 0, body.data.length)
    collectFields(body.data ?? body, '', fields)
  }
  return {
    method,
    path,
    isSorted: has(({ sort }) => sort),
    isQueried: has(({ paths, operators }) => [...paths, ...operators]),
    isLimited: observations.some(({ url }) => /[?&]limit=|%22limit%22|"limit"/.test(url)),
    example,
    size,
    named: new Set(observations.flatMap(({ use }) => [...use.paths, ...use.sort, ...use.fields])),
    fields,
  }
}

/** The levels of objects whose fields are changed. */
const MAX_LEVELS = 4

function collectFields(value: Json, prefix: string, fields: Map<string, Json>, level = 0): void {
  if (isJsonArray(value)) {
    for (const each of value) collectFields(each, prefix, fields, level)
  } else if (isJsonObject(value) && level < MAX_LEVELS) {
    for (const [name, field] of Object.entries(value)) {
      if (name.includes('.')) continue
      const former = fields.get(prefix + name)
      if (former === undefined || former === null) fields.set(prefix + name, field)
      collectFields(field, `${prefix}${name}.`, fields, level + 1)
    }
  }
}

/** Returns what a mutation does, as a sentence without a full stop. */
export const describeMutation = ({ method, path, change, field = '', factor }: Mutation): string =>
  [method, path, CHANGES[change][0], field, factor === undefined ? '' : `(times ${factor})`]
    .filter((word) => word !== '')
    .join(' ')

/**
 * Returns the changes of each route, in the order in which they are tried: the kinds by turns, from another one on for
 * each route, and the fields that requests name first. The same uses and seed give the same order.
 */
export function planMutations(uses: readonly ObservedUse[], seed: number): Mutation[] {
  const random = createRandom(seed)
  return uses
    .filter(({ example }) => example !== undefined)
    .flatMap((use, index) => {
      const rank = ({ field = '' }: Mutation): number => (use.named.has(field) ? 0 : 1)
      const kinds = listChanges(use)
        .map((changes) => shuffle(changes, random).toSorted((a, b) => rank(a) - rank(b)))
        .filter(({ length }) => length > 0)
      const first = index % kinds.length
      return takeByTurns([...kinds.slice(first), ...kinds.slice(0, first)])
    })
}

function takeByTurns<Value>(groups: readonly (readonly Value[])[]): Value[] {
  const longest = Math.max(...groups.map(({ length }) => length))
  return Array.from({ length: longest }, (_, turn) =>
    groups.flatMap((group) => group.slice(turn, turn + 1)),
  ).flat()
}

/** What has been tried of a route, and what is left. */
export interface RouteTrial extends RouteResult {
  changed: number
  noticed: number
  /** The number of its changes that have changed no answer. */
  unreached: number
  readonly left: Mutation[]
}

/** Returns the routes that the tests use, with their changes. */
export const toTrials = (
  uses: readonly ObservedUse[],
  planned: readonly Mutation[],
): readonly RouteTrial[] =>
  uses.map(({ method, path }) => ({
    method,
    path,
    changed: 0,
    noticed: 0,
    unreached: 0,
    left: planned.filter((each) => each.method === method && each.path === path),
  }))

/** The changes without an effect after which another route has its turn. */
const MAX_UNREACHED = 3

/** Returns the route whose turn it is: the first one with the fewest changes. */
export function chooseRoute(trials: readonly RouteTrial[]): RouteTrial | undefined {
  const count = ({ changed, unreached }: RouteTrial): number =>
    changed + Math.floor(unreached / MAX_UNREACHED)
  return trials
    .filter(({ left }) => left.length > 0)
    .toSorted((one, other) => count(one) - count(other))[0]
}

/**
 * Commas separate patterns.
 * @throws OptionsInvalid for one that matches nothing, or if none is left
 */
export function selectMutations(
  planned: readonly Mutation[],
  patterns: { readonly only?: string; readonly skip?: string },
): Mutation[] {
  const compile = (name: 'only' | 'skip'): ((mutation: Mutation) => boolean) | undefined => {
    const all = patterns[name]?.split(',').map((each) => compilePattern(name, each.trim(), planned))
    return all && ((mutation) => all.some((matches) => matches(mutation)))
  }
  const [isMeant, isSkipped] = [compile('only'), compile('skip')]
  const selected = planned.filter((each) => isMeant?.(each) !== false && isSkipped?.(each) !== true)
  if (selected.length === 0) throw new OptionsInvalid('--only and --skip leave no change to try')
  return selected
}

/** Compiles a pattern: a kind of change (`status` for `status-500`, too), a resource, a route or a field. */
function compilePattern(
  flag: string,
  pattern: string,
  planned: readonly Mutation[],
): (mutation: Mutation) => boolean {
  const isKind = (change: string): boolean => change === pattern || change.startsWith(`${pattern}-`)
  const kinds = Object.keys(CHANGES)
  if (kinds.some(isKind)) return ({ change }) => isKind(change)
  const glob = compilePathGlob(pattern)
  const matches = (mutation: Mutation): boolean => toNames(mutation).some(glob.matches)
  if (planned.some(matches)) return matches
  const known = new Set([...kinds, ...planned.flatMap(toNames)])
  throw new OptionsInvalid(
    `--${flag} must name a kind of change (${kinds.join(', ')}), or a resource, a route or a field that the tests use, not ${quote(pattern)}${describeClosest(pattern, known)}`,
  )
}

/** The names by which a pattern can match a change: its resource, its route and its field. */
const toNames = ({ method, path, field }: Mutation): string[] =>
  [path.split('/')[1], path, `${method} ${path}`, field].filter((name) => name !== undefined)

/** The routes that store no items and no files, whatever the method. */
const STORING_NOTHING = /\/(?:login|logout|(?:pre)?signed-urls|output-files)$/

/** Lists the changes of a route by their kinds: failures, lists, fields, writes. */
function listChanges(use: ObservedUse): Mutation[][] {
  const { method, path, size = 0 } = use
  const isWrite = method !== 'GET' && method !== 'HEAD' && !STORING_NOTHING.test(path)
  const toMutations = (changes: readonly (Change | false)[]): Mutation[] =>
    changes.filter((change) => change !== false).map((change) => ({ method, path, change }))
  return [
    toMutations(['status-500', 'status-401', 'reset', 'hang']),
    toMutations([
      size > 0 && 'empty',
      size > 0 && 'lose-item',
      size > 0 && 'repeat-item',
      use.isSorted && size > 1 && 'ignore-sort',
      use.isLimited && 'ignore-limit',
      use.isQueried && 'ignore-query',
    ]),
    listFieldChanges(use),
    toMutations([isWrite && 'not-kept']),
  ]
}

/** Lists the changes of the fields of a route's answers that the schema of its resource does not allow. */
function listFieldChanges({ method, path, fields }: ObservedUse): Mutation[] {
  const resource = path.split('/')[1] ?? ''
  return [...fields].toSorted().flatMap(([field, value]) => {
    const schema = SCHEMA_FIELDS.find(
      (each) => each.resource === resource && each.path === field,
    )?.schema
    const isAllowed = (changed: Json): boolean =>
      schema !== undefined && compileCheck(schema)(changed)
    const factor = findFactor(field, value, schema?.description ?? '', fields)
    const toMutation = (change: Change): Mutation => ({ method, path, field, change })
    return [
      toMutation('missing'),
      ...(value === null || isAllowed(null) ? [] : [toMutation('null')]),
      ...(isAllowed(toOtherType(value)) ? [] : [toMutation('type')]),
      ...(factor === undefined ? [] : [{ ...toMutation('unit'), factor }]),
    ]
  })
}

/** The units of the schemas, and the factors to others: Å to nm, degrees to radians, ms to s. */
const FACTORS: readonly (readonly [unit: RegExp, factor: number])[] = [
  [/\bin Å/, 0.1],
  [/\bin degrees/, Math.PI / 180],
  [/\bin ms\b/, 0.001],
]

/** Returns the factor to another unit of a number that has one, by its schema or by the `units` beside it. */
function findFactor(
  field: string,
  value: Json,
  description: string,
  fields: ReadonlyMap<string, Json>,
): number | undefined {
  const isNumeric =
    typeof value === 'number' || (Array.isArray(value) && typeof value[0] === 'number')
  if (!isNumeric) return undefined
  const units = fields.get(`${field.slice(0, field.lastIndexOf('.') + 1)}units`)
  return (
    FACTORS.find(([unit]) => unit.test(description))?.[1] ??
    (typeof units === 'string' ? 1000 : undefined)
  )
}
