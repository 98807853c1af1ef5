import { readFile } from 'node:fs/promises'

import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

import { Footprint } from '@materials-mock/api'
import {
  ApiClient,
  STATEMENTS,
  checkDeployment,
  findUsedResource,
  isHeld,
  listPath,
  summarizeUses,
  toUsedStatements,
} from '@materials-mock/check'
import type { Report } from '@materials-mock/check'
import { compileValidator, parseIfJson } from '@materials-mock/json'
import { fetchThroughProxy } from '@materials-mock/network'
import { DeploymentUnusable, OptionsInvalid } from '../errors.js'
import { TextOption } from '../options.js'
import { RESOURCES } from '../resources/resources.js'
import { ReportFormat, formatReport } from './check/format-report.js'
import { reportToGithub } from './check/github.js'
import { OutFile, openReport, untilSignal } from './command.js'
import type { Command, Environment } from './command.js'
import { Progress } from './progress.js'
import {
  LoginEnvelope,
  REMOTE_OPTIONS,
  RESOURCE_NAMES,
  parseRemoteOptions,
} from './remote/options.js'
import type { RemoteOptions } from './remote/options.js'
import { connect, createNoResource } from './remote/session.js'
import type { Connection } from './remote/session.js'

export const CheckOptions = Type.Object(
  {
    ...REMOTE_OPTIONS,
    resource: Type.Optional(
      Type.String({
        ...RESOURCE_NAMES,
        description: 'resources whose items are read; the first is queried (default: all)',
      }),
    ),
    loginEnvelope: LoginEnvelope,
    write: Type.Boolean({
      default: false,
      description: 'check writes too, with items that the check creates and deletes',
    }),
    used: TextOption('FILE', 'footprint of a mock; check only the uses that it lists'),
    format: ReportFormat,
    strict: Type.Boolean({
      default: false,
      description: 'end with 1 also if an assumed statement does not hold',
    }),
    verbose: Type.Boolean({
      default: false,
      description: 'list all statements, not only the failed ones',
    }),
    quiet: Type.Boolean({
      default: false,
      description: 'write only the warnings and the last line of the text',
    }),
    out: OutFile,
  },
  { additionalProperties: false },
)
export type CheckOptions = Static<typeof CheckOptions> & RemoteOptions

export const check: Command<CheckOptions> = {
  usage: 'URL [options]',
  summary: [
    'check tells whether a deployment answers as the mock does. URL is the versioned',
    'root, such as https://host/api/2018-10-01:',
  ].join('\n'),
  schema: CheckOptions,
  operands: ['URL'],
  // The exit code is 1 if a statement does not hold.
  unusableCode: 2,
  parse: (flags, environment) => {
    const options = parseRemoteOptions(flags, environment, CheckOptions)
    if (options.quiet && options.verbose)
      throw new OptionsInvalid('give one of --quiet and --verbose')
    return options
  },
  run: checkAndReport,
}

/** The time until a response must be complete, in ms. */
const TIMEOUT = 20_000

/** The time until a response must be complete at the end of a check, in ms. After an interruption, the user waits. */
const LAST_TIMEOUT = 5000

/** The total time that a check waits for a server that asks it to wait, in ms. */
const PATIENCE = 60_000

/**
 * Ctrl-C ends it after it has deleted its items.
 * @returns whether all but assumed statements hold
 * @throws DeploymentUnusable, OptionsInvalid
 */
async function checkAndReport(
  options: CheckOptions,
  environment: Environment = {},
): Promise<boolean> {
  const { format, out } = options
  const write = await openReport(out)
  const progress = new Progress(process.stderr)
  const report = await untilSignal((signal) => createReport(options, progress, signal)).finally(
    () => progress.clear(),
  )
  const isColoured = out === undefined && hasColours(environment)
  await write(formatReport(report, format, { ...options, isColoured }))
  if (environment.GITHUB_ACTIONS === 'true')
    await reportToGithub(report, environment, options.strict)
  if (report.problem === undefined) return isHeld(report, options.strict)
  throw new DeploymentUnusable(`try again; the check is not complete: ${report.problem}`)
}

async function createReport(
  options: CheckOptions,
  progress: Progress,
  signal: AbortSignal,
): Promise<Report> {
  const uses = options.used === undefined ? undefined : await readUses(options.used)
  const resources = options.resource?.split(',')
  // What is written must be what is looked at first, as the check deletes it.
  const first = uses
    ?.toSorted((a, b) => Number(isRead(a)) - Number(isRead(b)))
    .find(findUsedResource)
  const resource = resources?.[0] ?? (first && findUsedResource(first)) ?? 'materials'
  const statements =
    uses === undefined
      ? STATEMENTS.filter(
          ({ id, level }) =>
            level !== 'schema' || (resources?.includes(id.split('.')[1] ?? '') ?? true),
        )
      : toUsedStatements(uses)
  const { url, username, password, write } = options
  const connection = await connect(options, resource, {
    timeout: TIMEOUT,
    patience: PATIENCE,
    signal,
    onWait: (ms) => progress.showWait(ms),
  })
  const checkAll = async (): Promise<Report> => {
    for (const name of resources ?? []) await expectResource(connection, name)
    return checkDeployment({
      client: connection.client,
      lastClient: new ApiClient(url, {
        fetch: fetchThroughProxy,
        timeout: LAST_TIMEOUT,
        patience: PATIENCE,
        maxUnanswered: 1,
      }),
      credentials: connection.headers,
      login: username === undefined || password === undefined ? undefined : { username, password },
      loginEnvelope: options.loginEnvelope ?? connection.loginEnvelope,
      resource,
      statements,
      write,
      signal,
      onProgress: ({ id }, done, total) => progress.show(`${done + 1} of ${total}  ${id}`),
    })
  }
  const report = await checkAll().finally(connection.end)
  if (uses === undefined) return report
  return { ...report, uses: summarizeUses(uses, report.statements, options.strict) }
}

/**
 * Statements tell of everything else that is wrong with its list.
 * @throws DeploymentUnusable
 */
async function expectResource({ client, headers }: Connection, resource: string): Promise<void> {
  if (Object.hasOwn(RESOURCES, resource) || headers === undefined) return
  const path = listPath(resource, undefined, { limit: 1 })
  const response = await client.send({ path, headers: { ...headers } }).catch(() => undefined)
  if (response?.status === 404) throw createNoResource(resource)
}

const isRead = ({ method }: { readonly method: string }): boolean =>
  method === 'GET' || method === 'HEAD'

const validateFootprint = compileValidator(Footprint, 'body', 'it')

/** @throws OptionsInvalid for a file that is no footprint */
async function readUses(file: string): Promise<Footprint['uses']> {
  const text = await readFile(file, 'utf8').catch(({ message }: Error) => {
    throw new OptionsInvalid(`give another --used; the footprint can't be read: ${message}`)
  })
  const value = parseIfJson(text)
  const error = validateFootprint(value)
  if (error === undefined) {
    const { uses } = value as Footprint
    if (uses.length > 0) return uses
    throw new OptionsInvalid(`--used must be a footprint with uses, and ${file} has none`)
  }
  throw new OptionsInvalid(
    `--used must be a file that materials-mock footprint has written, not ${file}: ${error.message}`,
  )
}

/** Whether standard output shows colours (https://no-color.org). */
const hasColours = ({ NO_COLOR = '' }: Environment): boolean =>
  process.stdout.isTTY && NO_COLOR === ''
