import { Type } from '@sinclair/typebox'
import type { Static, TSchema } from '@sinclair/typebox'
import { Check, Create } from '@sinclair/typebox/value'

import { LISTS, MAX_DELAY, parseLatency } from '@materials-mock/api'
import {
  StringEnum,
  describeClosest,
  describeSchema,
  isJsonObject,
  quote,
} from '@materials-mock/json'
import { OptionsInvalid } from './errors.js'
import { isLoopback } from './http/callers.js'

/** A year, in seconds. Without the option, sessions do not end. */
const MAX_SESSION_TTL = 31_536_000

/** Ten minutes, in ms. A client has given up by then, and Node's timers end at 2^31 ms. */
const MAX_QUERY_BUDGET = 600_000

/** A year, in ms. */
const MAX_JOB_DURATION = 31_536_000_000

/** A name or an address in a Host header, or `.dev.example` for a name and its subdomains. */
const HOST_NAME = '(?:\\.?[\\w-]+(?:\\.[\\w-]+)*|\\[[\\da-fA-F:]+\\])'

/** An origin as browsers send it, of a page, an app, or `null` for a file. */
const ORIGIN = '(?:[a-z][a-z0-9+.-]*://[a-z0-9.:[\\]-]+|null)'

const LOG_LEVELS = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const

/** An option that is a text. @param title what stands for the text in `--help` */
export const TextOption = (title: string, description: string) =>
  Type.Optional(Type.String({ minLength: 1, title, description }))

/**
 * All options of a server: their types, defaults and descriptions in `--help`. The names of the flag
 * and of the environment variable follow from the option's name: `queryBudget`, `--query-budget`,
 * `MATERIALS_MOCK_QUERY_BUDGET`.
 */
export const Options = Type.Object(
  {
    port: Type.Integer({
      minimum: 0,
      maximum: 65_535,
      default: 4000,
      title: 'PORT',
      short: 'p',
      description: 'port to listen on; 0 for a free port',
    }),
    host: Type.String({
      minLength: 1,
      default: '127.0.0.1',
      title: 'HOST',
      description: 'address to listen on; localhost is both 127.0.0.1 and ::1',
    }),
    allowedHosts: Type.Optional(
      Type.String({
        pattern: `^${HOST_NAME}(,${HOST_NAME})*$`,
        expected:
          'names such as materials-mock or .dev.example, without ports, separated by commas',
        title: 'NAME,…',
        repeatable: true,
        description: 'other names that the server is called by, and whose pages may call it',
      }),
    ),
    fixtures: TextOption(
      'PATH',
      'folder of fixtures, or one fixture file (default: the shipped fixtures)',
    ),
    loginEnvelope: Type.Union([Type.Literal('flat'), Type.Literal('jsend')], {
      default: 'flat',
      title: 'flat|jsend',
      description: 'response of a login: the two fields alone, or in the envelope',
    }),
    lists: StringEnum(LISTS, {
      default: 'both',
      title: 'both|documented|migrated',
      description:
        'parameters that lists read: all, only query and projection, or only those of the newest client',
    }),
    strict: Type.Boolean({
      default: false,
      description:
        'only what the platform documents: query and projection, the two headers, GET /logout, whole items',
    }),
    sessionTtl: Type.Optional(
      Type.Number({
        minimum: 0.001, // the clock has no shorter time than 1 ms
        maximum: MAX_SESSION_TTL,
        title: 'SECONDS',
        description: 'time after which a session expires (default: never)',
      }),
    ),
    readOnly: Type.Boolean({ default: false, description: 'leave out the routes that write' }),
    cors: Type.Boolean({
      default: true,
      description: 'allow pages of other origins to call the server; --no-cors allows none',
    }),
    corsOrigin: Type.Optional(
      Type.String({
        pattern: `^(?:\\*|${ORIGIN}(,${ORIGIN})*)$`,
        expected: 'origins such as http://localhost:3000, separated by commas, or * for all',
        title: 'ORIGIN,…',
        description:
          'the allowed origins, separated by commas; * opens the API to all (default: this computer, this host and allowed hosts)',
      }),
    ),
    queryBudget: Type.Integer({
      minimum: 1,
      maximum: MAX_QUERY_BUDGET,
      default: 1000,
      title: 'MS',
      description: 'time limit for the work of one request',
    }),
    tlsCert: TextOption(
      'FILE',
      'certificate of a server of https, in PEM, as mkcert writes it; with --tls-key',
    ),
    tlsKey: TextOption('FILE', 'key of the certificate, in PEM'),
    watch: Type.Boolean({
      default: false,
      description: 'load fixture files that come or change, and drop those that go',
    }),
    state: TextOption('DIR', 'folder that keeps items and snapshots across restarts'),
    upstream: Type.Optional(
      Type.String({
        isValid: isServerUrl,
        expected: 'the URL of a server such as https://host, without user and parameters',
        title: 'URL',
        description: 'deployment that requests without a route in the mock are passed on to',
      }),
    ),
    upstreamRecord: TextOption('DIR', 'folder of fixtures to write the items of its responses to'),
    latency: Type.Optional(
      Type.Union([Type.Integer({ minimum: 0 }), Type.String({ pattern: '^\\d+(-\\d+)?$' })], {
        isValid: isLatency,
        expected: `milliseconds from 0 to ${MAX_DELAY} such as 200, or 100-500, the smaller number first`,
        title: 'MS|MIN-MAX',
        description: 'delay of every request under /api',
      }),
    ),
    journal: Type.Integer({
      minimum: 0,
      maximum: 100_000, // journals have 32 MiB of requests each
      default: 1000,
      title: 'N',
      description: 'number of requests that the journal records; 0 for none',
    }),
    journalBody: Type.Integer({
      minimum: 1024,
      maximum: 4 * 1024 * 1024, // half of what the bodies of all responses may take
      default: 256 * 1024, // a list of 50 shipped materials has 117 kB
      title: 'SIZE',
      description: 'bytes that the journal keeps of a body; a longer one is cut',
    }),
    admin: Type.Optional(
      Type.Boolean({
        description: 'serve /__admin on any host; --no-admin on none (default: on loopback hosts)',
      }),
    ),
    oidc: Type.Optional(
      Type.Boolean({
        description: 'serve /oidc on any host; --no-oidc on none (default: on loopback hosts)',
      }),
    ),
    oidcAccount: TextOption(
      'USERNAME',
      'account that /oidc signs in, without a password (default: the first account)',
    ),
    jobDuration: Type.Integer({
      minimum: 0,
      maximum: MAX_JOB_DURATION,
      default: 2000,
      title: 'MS',
      description: 'time until a submitted job is active, and then until it is finished',
    }),
    logLevel: Type.Optional(
      StringEnum(LOG_LEVELS, {
        title: 'LEVEL',
        description:
          'silent to trace; info logs each request (default: info on a terminal, else warn)',
      }),
    ),
    logFormat: Type.Union([Type.Literal('text'), Type.Literal('json')], {
      default: 'text',
      title: 'text|json',
      description: 'format of the banner and the log: plain text, or lines of JSON',
    }),
  },
  { additionalProperties: false },
)
export type Options = Static<typeof Options>

/**
 * Checks the options of an object, and fills in the defaults.
 * @throws OptionsInvalid for an unknown option, a wrong value, and options that exclude each other
 */
export function completeOptions(input: Readonly<Record<string, unknown>>): Options {
  const schemas = new Map<string, TSchema>(Object.entries(Options.properties))
  for (const [name, value] of Object.entries(input)) {
    const schema = schemas.get(name)
    if (schema === undefined) {
      const names = [...schemas.keys()]
      throw new OptionsInvalid(
        `${quote(name)} is not an option; there are ${names.join(', ')}${describeClosest(name, names)}`,
      )
    }
    if (value !== undefined) checkOption(name, value, schema)
  }
  const present = Object.entries(input).filter(([, value]) => value !== undefined)
  const options = { ...Create(Options), ...Object.fromEntries(present) }
  if (!options.cors && options.corsOrigin !== undefined)
    throw new OptionsInvalid('give one of --cors-origin and --no-cors; they exclude each other')
  if (options.watch && options.state !== undefined) {
    throw new OptionsInvalid(
      'give one of --watch and --state; a reload would overwrite the items that are kept',
    )
  }
  if (options.strict && options.lists === 'migrated')
    throw new OptionsInvalid('give one of --strict and --lists migrated; they exclude each other')
  if ((options.tlsCert === undefined) !== (options.tlsKey === undefined))
    throw new OptionsInvalid('give both of --tls-cert and --tls-key, or none')
  if (options.oidc === false && options.oidcAccount !== undefined)
    throw new OptionsInvalid('give one of --oidc-account and --no-oidc; they exclude each other')
  const { upstream, upstreamRecord, host, port } = options
  if (upstream === undefined && upstreamRecord !== undefined)
    throw new OptionsInvalid('give --upstream, too; --upstream-record keeps its answers')
  if (upstream !== undefined && isUrlOf(upstream, host, port))
    throw new OptionsInvalid(`--upstream must be another server than this one, not ${upstream}`)
  return options
}

/**
 * Checks the value of one option, and returns it.
 * @param source the option's name, flag or environment variable, for the message
 * @throws OptionsInvalid for a value that the schema or its `isValid` does not allow
 */
export function checkOption(source: string, value: unknown, schema: TSchema): unknown {
  if (Check(schema, value) && (schema.isValid?.(value) ?? true)) return value
  throw new OptionsInvalid(`${source} must be ${describeSchema(schema)}, not ${quote(value)}`)
}

/**
 * Checks that the options in process are an object, because a test in JavaScript has no types.
 * @throws OptionsInvalid for anything else, such as the path of a folder of fixtures
 */
export function checkIsOptions(options: unknown): void {
  if (isJsonObject(options)) return
  throw new OptionsInvalid(
    `give an object of options such as {"fixtures": "test/fixtures"}, not ${quote(options)}`,
  )
}

/** Whether a latency is not above the longest delay, and a range of delays not reversed. */
function isLatency(latency: string | number): boolean {
  const { min, max } = parseLatency(latency)
  return min <= max && max <= MAX_DELAY
}

/** Whether a text is the URL of a server, without user and parameters. */
function isServerUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password, search, hash } = new URL(text)
  return /^https?:$/.test(protocol) && username + password + search + hash === ''
}

/** Whether a URL names the server that listens on a host and a port. */
function isUrlOf(url: string, host: string, port: number): boolean {
  const { hostname, port: text, protocol } = new URL(url)
  const urlPort = text === '' ? (protocol === 'https:' ? 443 : 80) : Number(text)
  return urlPort === port && (hostname === host || isLoopback(hostname))
}
