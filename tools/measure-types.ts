import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import ts from 'typescript'

/**
 * Measures what the types of the client cost a project that makes 200 calls: the time of the CPU
 * that TypeScript takes to check it, without and with these types, in ms. It ends with 1 above the limit.
 *
 *     npm run measure:types
 */

const CALLS = 200

/** The most that the types may cost, in ms. */
const LIMIT = 2000

const ROUNDS = 3

/** Paths of materials, at which lists are cut. */
const PATHS = [
  'lattice.a',
  'basis.elements.value',
  'derivedProperties.value',
  'external.doi',
  'hash',
]

const CLIENT = fileURLToPath(new URL('../packages/client/src/index.js', import.meta.url))

const folder = mkdtempSync(join(tmpdir(), 'client-types-'))
const untyped = measure(
  'untyped',
  'declare const client: { materials: any; jobs: any; resource<Item>(name: string): any }',
)
const typed = measure(
  'typed',
  `import { createClient } from '${CLIENT}'\nconst client = createClient()`,
)
rmSync(folder, { recursive: true })
const cost = typed - untyped
console.log(
  `${CALLS} calls: ${untyped} ms without the types, ${typed} ms with them: ${cost} ms more`,
)
process.exitCode = cost < LIMIT ? 0 : 1

/** Returns the least time of several compilations, with a program of its own for each. */
function measure(name: string, head: string): number {
  const file = join(folder, `${name}.ts`)
  writeFileSync(file, `${head}\nexport const calls = [\n${createCalls().join(',\n')},\n]\n`)
  const times = Array.from({ length: ROUNDS }, () => compile(file))
  return Math.round(Math.min(...times))
}

function compile(file: string): number {
  const start = process.cpuUsage()
  const program = ts.createProgram([file], {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
  })
  const problems = ts.getPreEmitDiagnostics(program)
  if (problems.length > 0)
    throw new Error(problems.map(({ messageText }) => JSON.stringify(messageText)).join('\n'))
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}

/** Returns calls that differ from each other, so that no type is computed only once. */
function createCalls(): string[] {
  const kinds = [
    (n: number) =>
      `client.materials.list({ formula: 'Si', 'lattice.a': { $gt: ${n} } }, { sort: { name: 1 }, limit: ${n + 1} })`,
    (n: number) =>
      `client.materials.list({ $or: [{ tags: 't${n}' }, { 'owner.slug': 'o' }] }, { fields: { name: 1, '${PATHS[n % PATHS.length]}': 1, 'metadata.m${n}': 1 } })`,
    (n: number) =>
      `client.jobs.all({ status: { $in: ['finished', 'error'] }, 'metadata.w${n}': 1 }, { fields: { 'statusTrack.status': 1, 'metadata.c${n}': 1 } })`,
    (n: number) =>
      `client.materials.update('m${n}', { $set: { 'lattice.a': ${n} }, $push: { tags: 't${n}' } })`,
    (n: number) =>
      `client.resource<{ _id: string; own${n}: { deep: number[] } }>('things').list({ 'own${n}.deep': ${n} }, { sort: { 'own${n}.deep': -1 } })`,
  ]
  return Array.from({ length: CALLS }, (_, n) => kinds[n % kinds.length]?.(n) ?? '')
}
