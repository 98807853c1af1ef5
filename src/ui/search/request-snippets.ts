import { listGiven } from '../http/send.js'
import type { UrlParameters } from '../http/send.js'

/** A request in the syntax of a tool. */
interface Snippet {
  readonly name: string
  readonly code: string
}

/** A request to show. */
interface SnippetRequest {
  readonly origin: string
  readonly path: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly parameters: UrlParameters
  /** The text of the body. */
  readonly body?: string | undefined
}

/** Formats a request for curl, for `fetch`, and for Python with `requests`. */
export const formatSnippets = (request: SnippetRequest): Snippet[] => [
  { name: 'curl', code: formatCurl(request) },
  { name: 'fetch', code: formatFetch(request) },
  { name: 'Python', code: formatPython(request) },
]

const quoteShell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Formats a request as a command of a POSIX shell. A request with a body has all parameters in its path. */
export function formatCurl(request: SnippetRequest): string {
  const { origin, path, method, headers, body } = request
  const parameters = listGiven(request.parameters)
  // -G sends the parameters in the URL, and -g takes its braces and brackets as they are.
  const flags = `-s${parameters.length > 0 ? 'G' : ''}${/[[\]{}]/.test(path) ? 'g' : ''}`
  // With -X HEAD, curl waits for a body.
  const verb = method === 'GET' ? '' : method === 'HEAD' ? '--head ' : `-X ${method} `
  const lines = [
    `curl ${flags} ${verb}${quoteShell(origin + path)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoteShell(`${name}: ${value}`)}`),
    ...parameters.map(([name, value]) => `--data-urlencode ${quoteShell(`${name}=${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${quoteShell(body)}`]),
  ]
  return lines.join(' \\\n  ')
}

function formatFetch(request: SnippetRequest): string {
  const { origin, path, method, headers, body } = request
  const parameters = listGiven(request.parameters)
  const lines = parameters.map(([name, value]) => `  ${name}: ${JSON.stringify(value)},\n`)
  const options = [
    ...(method === 'GET' ? [] : [`  method: ${JSON.stringify(method)},\n`]),
    `  headers: ${JSON.stringify(headers, null, 2).replaceAll('\n', '\n  ')},\n`,
    ...(body === undefined ? [] : [`  body: ${JSON.stringify(body)},\n`]),
  ].join('')
  const url = JSON.stringify(origin + path)
  if (lines.length === 0)
    return `const response = await fetch(${url}, {\n${options}})\nconst { data } = await response.json()`
  return [
    `const parameters = new URLSearchParams({\n${lines.join('')}})`,
    `const response = await fetch(${url} + '?' + parameters, {\n${options}})`,
    'const { data } = await response.json()',
  ].join('\n')
}

function formatPython(request: SnippetRequest): string {
  const { origin, path, method, headers, body } = request
  const parameters = listGiven(request.parameters)
  const pairs = (entries: readonly [string, string][]): string =>
    entries
      .map(([name, value]) => `        ${quotePython(name)}: ${quotePython(value)},\n`)
      .join('')
  return [
    'import requests\n\n',
    `response = requests.request(\n    ${quotePython(method)},\n    ${quotePython(origin + path)},\n`,
    `    headers={\n${pairs(Object.entries(headers))}    },\n`,
    parameters.length === 0 ? '' : `    params={\n${pairs(parameters)}    },\n`,
    body === undefined ? '' : `    data=${quotePython(body)}.encode(),\n`,
    ')\nprint(response.json()["data"])',
  ].join('')
}

/** Quotes a text for Python, whose strings have the escapes of JSON, but no surrogate pairs. */
const quotePython = (text: string): string => JSON.stringify(text)
