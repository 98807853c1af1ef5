import { Type } from '@sinclair/typebox'
import type { Static, TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'

import { OptionsInvalid } from './errors.js'
import { quote } from './json/quote.js'
import { describeSchema } from './validation/describe-schema.js'

/**
 * Every option once: its type, its default, its line of `--help`. The flag and the environment
 * variable follow from the name: `queryBudget`, `--query-budget`, `MATERIALS_MOCK_QUERY_BUDGET`.
 */
export const Options = Type.Object(
  {
    port: Type.Integer({
      minimum: 0,
      maximum: 65_535,
      default: 4000,
      title: 'PORT',
      description: 'port to listen on; 0 takes a free one',
    }),
    host: Type.String({
      minLength: 1,
      default: '127.0.0.1',
      title: 'HOST',
      description: 'address to listen on; localhost is both 127.0.0.1 and ::1',
    }),
    fixtures: Type.Optional(
      Type.String({
        minLength: 1,
        title: 'DIR',
        description: 'folder of fixtures (default: the shipped ones)',
      }),
    ),
    loginEnvelope: Type.Union([Type.Literal('flat'), Type.Literal('jsend')], {
      default: 'flat',
      title: 'flat|jsend',
      description: 'how a login is answered: the two fields alone, or in the envelope',
    }),
    sessionTtl: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        title: 'SECONDS',
        description: 'how long a session is good for (default: for ever)',
      }),
    ),
    readOnly: Type.Boolean({ default: false, description: 'serve nothing that writes' }),
    cors: Type.Boolean({
      default: true,
      description: 'let pages of other origins use the API; --no-cors lets none',
    }),
    corsOrigin: Type.Optional(
      Type.String({
        pattern: '^https?://[a-z0-9.:[\\]-]+(,https?://[a-z0-9.:[\\]-]+)*$',
        expected: 'origins like http://localhost:3000 with commas between',
        title: 'ORIGIN,…',
        description: 'which pages that are, by origin (default: all)',
      }),
    ),
    queryBudget: Type.Integer({
      minimum: 1,
      default: 1000,
      title: 'MS',
      description: 'time that the evaluation of one query may take',
    }),
    watch: Type.Boolean({
      default: false,
      description: 'load a fixture file anew when it changes',
    }),
    latency: Type.Optional(
      Type.Union([Type.Integer({ minimum: 0 }), Type.String({ pattern: '^\\d+(-\\d+)?$' })], {
        expected: 'milliseconds such as 200 or 100-500',
        title: 'MS|MIN-MAX',
        description: 'how long everything under /api waits',
      }),
    ),
    journal: Type.Integer({
      minimum: 0,
      maximum: 100_000,
      default: 1000,
      title: 'N',
      description: 'how many requests the journal holds; 0 is for none',
    }),
    admin: Type.Optional(
      Type.Boolean({
        description: 'serve /__admin on any host; --no-admin on none (default: on loopback hosts)',
      }),
    ),
    jobDuration: Type.Integer({
      minimum: 0,
      default: 2000,
      title: 'MS',
      description: 'time that a submitted job waits, and then is active',
    }),
    logLevel: Type.Optional(
      Type.Union(
        (['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const).map((level) =>
          Type.Literal(level),
        ),
        {
          title: 'LEVEL',
          description:
            'silent to trace; info has a line a request (default: info on a terminal, else warn)',
        },
      ),
    ),
  },
  { additionalProperties: false },
)
export type Options = Static<typeof Options>

/**
 * Checks options that come as an object, and fills in the defaults.
 * @throws OptionsInvalid
 */
export function completeOptions(given: Readonly<Record<string, unknown>>): Options {
  for (const [name, value] of Object.entries(given)) {
    const schema = (Options.properties as Record<string, TSchema>)[name]
    if (schema === undefined) {
      throw new OptionsInvalid(
        `${quote(name)} is not an option; there are ${Object.keys(Options.properties).join(', ')}`,
      )
    }
    if (value !== undefined) checkOption(name, value, schema)
  }
  const present = Object.entries(given).filter(([, value]) => value !== undefined)
  const options = { ...(Value.Create(Options) as Options), ...Object.fromEntries(present) }
  if (!options.cors && options.corsOrigin !== undefined)
    throw new OptionsInvalid('--cors-origin lets pages in and --no-cors lets none in; give one')
  return options
}

/**
 * Checks the value of one option.
 * @param source the name of the option, its flag or its variable, for the message
 * @throws OptionsInvalid
 */
export function checkOption(source: string, value: unknown, schema: TSchema): unknown {
  if (Value.Check(schema, value)) return value
  throw new OptionsInvalid(`${source} must be ${describeSchema(schema)}, not ${quote(value)}`)
}
