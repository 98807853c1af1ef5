// @ts-nocheck: it is written as somebody writes it by hand
/**
 * A Fastify server of materials as somebody writes it by hand for their tests, with what each request to
 * ours has: the login's headers, a query in JSON, an index, the envelope, CORS, a journal of the last
 * 1,000 requests, and faults. It trusts its input, and answers what the benchmark asks.
 * Arguments: port, file of items, account, token.
 */
import fastify from 'fastify'

import { readItems } from './read-items.mjs'

const BASE = '/api/2018-10-01'
const JOURNAL_SIZE = 1000

const [port, file = '', account = '', token = ''] = process.argv.slice(2)

/** Each item with its JSON, which is made once. */
const entries = (await readItems(file)).map((item) => ({ item, text: JSON.stringify(item) }))
const byId = new Map(entries.map((entry) => [entry.item._id, entry]))
/** The entries by the values of each path that was asked for. */
const indexes = new Map()

const accounts = new Set([account])
const sessions = new Map([[token, account]])
const faults = []
const journal = []
let recordCount = 0

const app = fastify()

app.decorateRequest('record', null)
app.addHook('onRequest', (request, reply, done) => {
  const { method, url, headers } = request
  request.record = { at: Date.now(), method, url, headers, status: 0, body: undefined }
  journal[recordCount++ % JOURNAL_SIZE] = request.record
  if (headers.origin !== undefined) reply.header('access-control-allow-origin', '*')
  const fault = faults.find((each) => each.method === method && each.path.test(url))
  if (fault !== undefined && fault.times-- > 0)
    return reply.code(fault.status).send(fail('a fault'))
  const { 'x-account-id': id, 'x-auth-token': given = '' } = headers
  if (id === undefined || sessions.get(String(given)) !== id)
    return reply.code(401).send(fail('the credentials are wrong'))
  done()
})
app.addHook('onSend', (request, reply, payload, done) => {
  Object.assign(request.record, { status: reply.statusCode, body: payload })
  done()
})

app.post('/__admin/faults', (request) =>
  faults.push({ ...request.body, path: new RegExp(request.body.path) }),
)
app.get('/__admin/requests', () => journal)

app.get(`${BASE}/materials`, ({ query: { query, projection } }, reply) => {
  const {
    sort,
    skip = 0,
    limit = 50,
    fields,
  } = projection === undefined ? {} : JSON.parse(projection)
  let found = query === undefined ? entries : find(JSON.parse(query))
  if (sort !== undefined) found = sortBy(found, sort)
  const page = found.filter(({ item }) => isVisible(item)).slice(skip, skip + limit)
  const texts = page.map((entry) => (fields === undefined ? entry.text : pick(entry, fields)))
  return send(reply, `[${texts.join(',')}]`)
})

app.get(`${BASE}/materials/:id`, ({ params }, reply) => {
  const entry = byId.get(params.id)
  return entry !== undefined && isVisible(entry.item)
    ? send(reply, entry.text)
    : reply.code(404).send(fail(`there is no material ${params.id}`))
})

await app.listen({ port: Number(port), host: '127.0.0.1' })

const send = (reply, data) =>
  reply.type('application/json; charset=utf-8').send(`{"status":"success","data":${data}}`)

const fail = (message) => ({ status: 'error', message })

const isVisible = ({ owner }) =>
  owner === undefined || owner._id === account || !accounts.has(owner._id)

/** Finds the entries that meet all conditions, starting with the entries of an index. */
function find(query) {
  const conditions = Object.entries(query)
  const equality = conditions.find(([, operand]) => typeof operand !== 'object')
  const candidates = equality === undefined ? entries : findEqual(...equality)
  return candidates.filter(({ item }) =>
    conditions.every(([path, operand]) => matches(read(item, path), operand)),
  )
}

function findEqual(path, value) {
  let index = indexes.get(path)
  if (index === undefined) {
    index = group(path)
    indexes.set(path, index)
  }
  return index.get(value) ?? []
}

function group(path) {
  const groups = new Map()
  for (const entry of entries) {
    const value = read(entry.item, path)
    if (groups.has(value)) groups.get(value).push(entry)
    else groups.set(value, [entry])
  }
  return groups
}

/** Tests a value with a plain value, or with the operators that the benchmark uses. */
function matches(value, operand) {
  if (typeof operand !== 'object') return value === operand
  const { $gte = -Infinity, $lt = Infinity, $regex } = operand
  return $regex === undefined ? value >= $gte && value < $lt : new RegExp($regex).test(value)
}

function sortBy(found, sort) {
  const [[path, direction]] = Object.entries(sort)
  return found.toSorted((a, b) => direction * (read(a.item, path) - read(b.item, path)))
}

const pick = ({ item }, fields) =>
  JSON.stringify({
    _id: item._id,
    ...Object.fromEntries(Object.keys(fields).map((name) => [name, item[name]])),
  })

/** Reads the value at a dotted path. */
const read = (item, path) => path.split('.').reduce((value, name) => value?.[name], item)
