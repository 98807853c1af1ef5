import type { FastifyRequest } from 'fastify'

import { resolveLists } from '@materials-mock/api'
import { isJsonObject, parseIfJson } from '@materials-mock/json'
import { parametersOf } from '../../http/list/parameters.js'

/** The parameters that are no conditions. */
const OF_PAGE: ReadonlySet<string> = new Set(['projection', 'sort', 'skip', 'limit'])

/** Takes a part of the parameters of a list out of a request, before its route reads them. */
export function dropPart(request: FastifyRequest, part: 'sort' | 'limit' | 'query'): void {
  const { resourceRoute, server } = request
  const parameters = new Map(Object.entries(parametersOf(request)))
  if (part === 'query') {
    for (const name of parameters.keys()) if (!OF_PAGE.has(name)) parameters.delete(name)
    const lists = resolveLists(resourceRoute?.resource ?? '', server.settings.lists)
    if (lists === 'migrated') parameters.set('globalSearch', 'true') // without it, items in sets are left out
  } else {
    parameters.delete(part)
    const projection = parseIfJson(String(parameters.get('projection')))
    if (isJsonObject(projection)) {
      const { [part]: _, ...rest } = projection
      parameters.set('projection', JSON.stringify(rest))
    }
  }
  const [path] = request.url.split('?')
  const search = new URLSearchParams()
  for (const [name, given = ''] of parameters)
    for (const text of [given].flat()) search.append(name, text)
  request.query = Object.fromEntries(parameters)
  request.raw.url = `${path}?${search.toString()}`
}
