import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

import { withoutUndefined } from '@materials-mock/json'
import { RUN_VARIABLES } from '../controls/mutation/mutation.js'
import type { ChangedAnswer, Mutation, TestRun } from '../controls/mutation/mutation.js'
import { OptionsInvalid, TestsUnusable } from '../errors.js'
import { Options } from '../options.js'
import { buildApp } from '../server/app.js'
import type { BuildOptions } from '../server/app.js'
import { listen } from '../server/listen.js'
import { decodeUrl } from '../server/log/format-log-line.js'
import { ReportFormat } from './check/format-report.js'
import {
  OutFile,
  Seed,
  openReport,
  parseOptions,
  parseValues,
  toVariable,
  untilSignal,
} from './command.js'
import type { Command, Environment } from './command.js'
import { formatMutations } from './mutate/format-mutations.js'
import type { MutationReport, MutationResult } from './mutate/format-mutations.js'
import {
  chooseRoute,
  describeMutation,
  planMutations,
  readObserved,
  selectMutations,
  toTrials,
} from './mutate/plan-mutations.js'
import { runTests } from './mutate/run-tests.js'
import type { TestResult } from './mutate/run-tests.js'
import { Progress } from './progress.js'

const Pattern = (action: string) =>
  Type.String({
    minLength: 1,
    repeatable: true,
    title: 'PATTERN',
    description: `${action}: a route, a resource, a field or a kind of change (repeatable)`,
    examples: ['POST /jobs/*'],
  })

export const MutateOptions = Type.Object(
  {
    max: Type.Integer({
      minimum: 1,
      maximum: 100_000,
      default: 40,
      title: 'N',
      description: 'largest number of changes',
    }),
    seed: Seed('seed of the choice; the same seed chooses the same changes'),
    only: Type.Optional(Pattern('try no other changes')),
    skip: Type.Optional(Pattern('leave changes out')),
    format: ReportFormat,
    minScore: Type.Number({
      minimum: 0,
      maximum: 1,
      default: 0.8,
      title: 'SHARE',
      description: 'share of the changes that the tests must notice, or it ends with 1',
    }),
    out: OutFile,
  },
  { additionalProperties: false },
)

interface MutateRun extends Static<typeof MutateOptions> {
  readonly server: BuildOptions
  readonly command: readonly string[]
}

export const mutate: Command<MutateRun> = {
  usage: '[options] -- COMMAND',
  summary: [
    'mutate tells whether tests would notice if the platform changed. COMMAND, such as npm test, runs the tests:',
    'once unchanged, then once for each change of a response. mutate also has the options of the server:',
  ].join('\n'),
  schema: Type.Object({ ...Options.properties, ...MutateOptions.properties }),
  described: MutateOptions,
  takesCommand: true,
  unusableCode: 2,
  parse: (flags, environment, command) => {
    if (command?.[0] === undefined || command[0] === '')
      throw new OptionsInvalid('give the command that runs the tests after --: mutate -- npm test')
    const server = parseValues(Options, flags, environment, () => true)
    if (server['state'] !== undefined) {
      throw new OptionsInvalid(
        `leave out --state and ${toVariable('state')}; each run of the tests needs a server with the same items at its start`,
      )
    }
    return { ...parseOptions(MutateOptions, flags), server, command }
  },
  run: mutateAndReport,
}

/**
 * @returns whether the tests notice enough
 * @throws TestsUnusable if the tests fail unchanged or ask nothing; OptionsInvalid for a command
 * that can't be run
 */
async function mutateAndReport(
  options: MutateRun,
  environment: Environment = {},
): Promise<boolean> {
  const { format, out, minScore } = options
  const write = await openReport(out)
  const progress = new Progress(process.stderr)
  const folder = await mkdtemp(join(tmpdir(), 'materials-mock-'))
  const report = await untilSignal((signal) =>
    runMutations(options, { environment, progress, folder, signal }),
  ).finally(async () => {
    progress.clear()
    await rm(folder, { recursive: true, force: true })
  })
  await write(formatMutations(report, format))
  return report.score >= minScore
}

/** What all runs of the tests share. */
interface Context {
  readonly environment: Environment
  readonly progress: Progress
  /** Where the mocks write what happens. */
  readonly folder: string
  readonly signal: AbortSignal
}

/** A run may take this many times as long as the unchanged run. */
const LIMIT_FACTOR = 10

async function runMutations(options: MutateRun, context: Context): Promise<MutationReport> {
  const { folder, progress } = context
  progress.show('the tests as they are')
  const first = await runOnce(options, context, { footprintFolder: folder })
  if (first.code !== 0) {
    throw new TestsUnusable(
      `the tests fail although nothing is changed (${first.code === null ? 'ended by a signal' : `exit code ${first.code}`}); make them pass first:\n${stripVTControlCharacters(first.output)}`,
    )
  }
  const { requests, uses } = await readObserved(folder)
  const all = planMutations(uses, options.seed)
  if (all.length === 0) {
    throw new TestsUnusable(
      `no mock has answered a request of the tests with success; let them use startMock() or the URL in ${RUN_VARIABLES.url}`,
    )
  }
  const planned = selectMutations(all, options)
  const trials = toTrials(uses, planned)
  const total = Math.min(options.max, planned.length)
  const routes = trials.filter(({ left }) => left.length > 0).length
  if (total < routes) {
    progress.showComplete(
      `--max ${total} is too small to try each of the ${routes} routes that the tests use`,
    )
  }
  progress.showComplete(
    `the tests pass as they are; ${total} of ${all.length} changes are tried in about ${formatTime(total * first.ms)}`,
  )
  const limit = LIMIT_FACTOR * first.ms
  const start = performance.now()
  const mutations: MutationResult[] = []
  let [unreached, flaky] = [0, 0]
  while (mutations.length < total) {
    const trial = chooseRoute(trials)
    const mutation = trial?.left.shift()
    if (trial === undefined || mutation === undefined) break
    const runs = mutations.length + unreached
    const mean = runs === 0 ? first.ms : (performance.now() - start) / runs
    const left = `about ${formatTime((total - mutations.length) * mean)} left`
    const title = describeMutation(mutation)
    progress.show(`${mutations.length + 1} of ${total}, ${left}  ${title}`)
    const log = join(folder, 'changes')
    await rm(log, { force: true })
    const result = await runOnce(options, context, { mutation: { ...mutation, log } }, limit)
    const [line] = (await readFile(log, 'utf8').catch(() => '')).split('\n')
    // A change that changes no answer can't be noticed.
    if (line === undefined || line === '') {
      trial.unreached += 1
      unreached += 1
      if (result.code !== 0) flaky += 1
      progress.showComplete(`does not count: ${title} (it changed no answer)`)
      continue
    }
    const change: ChangedAnswer = JSON.parse(line)
    const example = uses.find((use) => use.path === mutation.path && use.method === mutation.method)
    const before = change.before === '' ? (example?.example?.answer ?? '') : change.before
    const isNamed = example?.named.has(mutation.field ?? '') === true
    const tried = toResult(mutation, title, result, { ...change, before })
    mutations.push({ ...tried, isNamed })
    trial.changed += 1
    if (tried.outcome !== 'survived') trial.noticed += 1
    progress.showComplete(`${mutations.length} of ${total}, ${left}  ${tried.outcome}: ${title}`)
  }
  const noticed = mutations.filter(({ outcome }) => outcome !== 'survived').length
  return {
    baseline: { code: 0, requests },
    routes: trials.map(({ left: _left, unreached: _unreached, ...route }) => route),
    mutations,
    score: mutations.length === 0 ? 0 : noticed / mutations.length,
    unreached,
    flaky,
  }
}

/** `40 s`, `3 min`. */
const formatTime = (ms: number): string =>
  ms < 100_000 ? `${Math.ceil(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`

/** The characters of an answer that a report shows. */
const MAX_SHOWN = 200

const toResult = (
  { method, path, change, field }: Mutation,
  title: string,
  { code, isTimeout, ms }: TestResult,
  { url, before, after }: ChangedAnswer,
): Omit<MutationResult, 'isNamed'> => ({
  id: `${method} ${path}.${change}${field === undefined ? '' : `:${field}`}`,
  title,
  method,
  path,
  change,
  ...withoutUndefined({ field }),
  outcome: isTimeout ? 'timeout' : code === 0 ? 'survived' : 'killed',
  ms,
  request: `${method} ${decodeUrl(url)}`,
  before: before.length > MAX_SHOWN ? `${before.slice(0, MAX_SHOWN)}…` : before,
  after,
})

/** Runs the tests with a server of their own, which has a fresh state. */
async function runOnce(
  { server, command }: MutateRun,
  { environment, signal }: Context,
  testRun: TestRun,
  limit?: number,
): Promise<TestResult> {
  const app = await buildApp({ logLevel: 'warn', ...server, port: server.port ?? 0 }, testRun)
  try {
    const url = await listen(app)
    const { mutation, footprintFolder } = testRun
    const { [RUN_VARIABLES.mutation]: _, [RUN_VARIABLES.footprint]: __, ...inherited } = environment
    return await runTests(command, {
      environment: {
        ...inherited,
        [RUN_VARIABLES.url]: url,
        ...(mutation && { [RUN_VARIABLES.mutation]: JSON.stringify(mutation) }),
        ...(footprintFolder && { [RUN_VARIABLES.footprint]: footprintFolder }),
      },
      signal,
      ...withoutUndefined({ limit }),
    })
  } finally {
    await app.close()
  }
}
