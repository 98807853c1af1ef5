import { escapeControls, escapeLine } from '@materials-mock/json'

/** The SGR codes of the colours (ECMA-48). */
const COLOURS = { dim: 2, red: 31, green: 32, yellow: 33, magenta: 35, cyan: 36 } as const

type Colour = keyof typeof COLOURS

/** The names of pino's levels that are shown, by their numbers. */
const LEVELS: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  40: 'warn',
  50: 'error',
  60: 'fatal',
}

/** The longest path and query that is shown, in characters. */
const MAX_URL_LENGTH = 400

interface LogLine {
  readonly level: number
  /** Milliseconds since the epoch. */
  readonly time: number
  readonly msg?: string
  readonly err?: { readonly stack?: string }
  readonly request?: {
    readonly method: string
    readonly url: string
    readonly status: number
    readonly ms: number
    readonly fault?: Readonly<Record<string, unknown>>
  }
}

/** Local time, method, decoded path, status, ms and fault. A line without a message is empty. */
export function formatLogLine(json: string, hasColours: boolean): string {
  const { level, time, msg = '', err, request }: LogLine = JSON.parse(json)
  const paint = (colour: Colour, text: string): string =>
    hasColours ? `\u001B[${COLOURS[colour]}m${text}\u001B[0m` : text
  const parts = [paint('dim', new Date(time).toTimeString().slice(0, 8))]
  if (request === undefined) {
    if (msg === '' && err === undefined) return ''
    const name = LEVELS[level]
    if (name !== undefined) parts.push(paint(level < 50 ? 'yellow' : 'red', name))
    parts.push(escapeControls(msg))
    if (err?.stack !== undefined) parts.push(`\n${escapeControls(err.stack)}`)
  } else {
    const { method, url, status, ms, fault } = request
    parts.push(method.padEnd(6), decodeUrl(url), paint(pickColour(status), String(status)))
    parts.push(paint('dim', `${ms} ms`))
    if (fault !== undefined)
      parts.push(paint('magenta', `fault: ${escapeLine(describeFault(fault))}`))
  }
  return `${parts.join(' ')}\n`
}

function pickColour(status: number): Colour {
  if (status >= 500) return 'red'
  if (status >= 400) return 'yellow'
  return status >= 300 ? 'cyan' : 'green'
}

/** Decodes the path and the query of a request for readers. A malformed URL stays as it is. */
export function decodeUrl(url: string): string {
  const text = escapeLine(decode(url.replaceAll('+', ' ')) ?? url)
  return text.length > MAX_URL_LENGTH ? `${text.slice(0, MAX_URL_LENGTH)}…` : text
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

const describeFault = ({ rule, ...effects }: Readonly<Record<string, unknown>>): string =>
  Object.entries(effects)
    .map(([name, value]) => `${name} ${String(value)}`)
    .concat(typeof rule === 'string' ? [`rule ${rule}`] : [])
    .join(', ')
