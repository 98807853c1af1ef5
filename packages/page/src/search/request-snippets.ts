import { listGiven } from '../http/send.js'
import type { UrlParameters } from '../http/send.js'

interface Snippet {
  readonly name: string
  readonly code: string
}

interface ListRequest {
  readonly origin: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly parameters: UrlParameters
}

/** Formats the request of a list for curl, for `fetch`, and for Python with `requests`. */
export const formatSnippets = (request: ListRequest): Snippet[] => [
  { name: 'curl', code: formatCurl({ ...request, method: 'GET' }) },
  { name: 'fetch', code: formatFetch(request) },
  { name: 'Python', code: formatPython(request) },
]

interface CurlRequest extends ListRequest {
  readonly method: string
  readonly body?: string | undefined
}

const quoteShell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Formats a request as a command of a POSIX shell. A request with a body has all parameters in its path. */
export function formatCurl(request: CurlRequest): string {
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

function formatFetch({ origin, path, headers, parameters }: ListRequest): string {
  const lines = listGiven(parameters).map(
    ([name, value]) => `  ${name}: ${JSON.stringify(value)},\n`,
  )
  const given = JSON.stringify(headers, null, 2).replaceAll('\n', '\n  ')
  return [
    `const parameters = new URLSearchParams({\n${lines.join('')}})`,
    `const response = await fetch(${JSON.stringify(origin + path)} + '?' + parameters, {\n  headers: ${given},\n})`,
    'const { data } = await response.json()',
  ].join('\n')
}

function formatPython({ origin, path, headers, parameters }: ListRequest): string {
  const pairs = (entries: readonly [string, string][]): string =>
    entries
      .map(([name, value]) => `        ${quotePython(name)}: ${quotePython(value)},\n`)
      .join('')
  return [
    'import requests\n\n',
    `response = requests.get(\n    ${quotePython(origin + path)},\n`,
    `    headers={\n${pairs(Object.entries(headers))}    },\n`,
    `    params={\n${pairs(listGiven(parameters))}    },\n`,
    ')\nprint(response.json()["data"])',
  ].join('')
}

/** Quotes a text for Python, whose strings have the escapes of JSON, but no surrogate pairs. */
const quotePython = (text: string): string => JSON.stringify(text)
