import { Type } from '@sinclair/typebox'

/** The log levels of pino, with `silent` for none. */
const LEVELS = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const

/** The options of the log. */
export const LOG_OPTIONS = {
  logLevel: Type.Optional(
    Type.Union(
      LEVELS.map((level) => Type.Literal(level)),
      {
        title: 'LEVEL',
        description:
          'silent to trace; info logs each request (default: info on a terminal, else warn)',
      },
    ),
  ),
  logFormat: Type.Optional(
    Type.Union([Type.Literal('text'), Type.Literal('json')], {
      title: 'text|json',
      description: 'lines to read, or JSON (default: text on a terminal, else json)',
    }),
  ),
}
