import type { AddressInfo } from 'node:net'

import t from 'tap'

import { BASE, build } from '../helpers/build.js'
import { sendBytes } from '../helpers/send-bytes.js'

/** The headers that the Python package `requests` sends with every request. */
const REQUESTS_HEADERS = [
  'Host: localhost',
  'User-Agent: python-requests/2.32.3',
  'Accept-Encoding: gzip, deflate',
  'Accept: */*',
  'Connection: close',
].join('\r\n')

/** The headers that the platform's client adds. */
const CLIENT_HEADERS = [
  'X-Account-Id: oEb32zJWy27miFESb',
  'X-Auth-Token: demo-preferences-token',
  'Content-Type: application/json',
].join('\r\n')

// The bytes that the platform's Python client (mat3ra-api-client) sends, with the shipped fixtures.
t.test("the requests of the platform's Python client work unchanged", async (t) => {
  const app = await build(t, { loginEnvelope: 'jsend' })
  await app.listen({ port: 0 })
  const { port } = app.server.address() as AddressInfo

  const send = async (line: string, headers: string, body = '') => {
    // The package requests sends no Content-Length with an empty GET.
    const length = line.startsWith('GET') ? '' : `Content-Length: ${Buffer.byteLength(body)}\r\n`
    const [method, path] = line.split(' ')
    const head = `${method} ${BASE}/${path} HTTP/1.1\r\n${REQUESTS_HEADERS}\r\n${headers}\r\n${length}\r\n`
    const [responseHead = '', text = ''] = (await sendBytes(port, head + body)).split('\r\n\r\n')
    return { status: Number(responseHead.split(' ')[1]), ...JSON.parse(text) }
  }
  const succeed = async (line: string, body?: unknown, headers = CLIENT_HEADERS) => {
    const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body)
    const { status, message, data } = await send(line, headers, text)
    t.equal(status, 'success', `${line} ${message ?? ''}`)
    return data
  }

  const form = 'Content-Type: application/x-www-form-urlencoded'
  const session = await succeed('POST login', 'username=demo&password=demo', form)
  t.equal(session['X-Account-Id'], 'oEb32zJWy27miFESb')
  const sessionHeaders = `X-Account-Id: ${session['X-Account-Id']}\r\nX-Auth-Token: ${session['X-Auth-Token']}`
  await succeed('POST logout', undefined, `${sessionHeaders}\r\nContent-Type: application/json`)

  // EntityEndpoint: list, get, create, update, copy, delete. Two versions send other parameters.
  for (const name of ['materials', 'workflows', 'projects', 'jobs']) {
    const everything = `GET ${name}?query=%7B%7D&projection=%7B%7D`
    t.ok((await succeed(everything)).length > 0, name)
    const config = { name: `test-${name}`, tags: ['INTEGRATION-TEST'] }
    const created = await succeed(`PUT ${name}/create`, config)
    const tagged = `GET ${name}?query=%7B%22tags%22%3A+%22INTEGRATION-TEST%22%7D&projection=%7B%7D`
    const searches =
      '&globalSearch=true&advancedSearches=%5B%7B%22tags%22%3A+%22INTEGRATION-TEST%22%7D%5D'
    t.same(await succeed(tagged), [created])
    t.same(await succeed(tagged + searches), [created])
    t.same(await succeed(`GET ${name}/${created._id}`), created)
    const updated = await succeed(`PATCH ${name}/${created._id}`, { name: 'UPDATED' })
    t.equal(updated.name, 'UPDATED')
    const copy = await succeed(`POST ${name}/${created._id}/copy`)
    await succeed(`POST ${name}/${copy._id}/set-default`)
    for (const { _id } of [created, copy]) await succeed(`DELETE ${name}/${_id}`)
    t.same(await succeed(tagged), [])
    const missing = await send(`GET ${name}/${created._id}`, CLIENT_HEADERS)
    t.equal(missing.data.message, missing.message, 'the client reads the message in data')
  }

  // EntitySetEndpointsMixin, import_from_file with its defaults.
  const set = await succeed('PUT materials/create-set', { name: 'set' })
  const poscar = 'Si\n1\n5.4 0 0\n0 5.4 0\n0 0 5.4\nSi\n1\nDirect\n0 0 0\n'
  const file = { name: 'Si', content: poscar, format: 'poscar', 'owner._id': null, tags: [] }
  const material = await succeed('POST materials/import', file)
  await succeed(`POST materials/${material._id}/move-to-set?oldSetId=&newSetId=${set._id}`)
  const members = `GET materials?query=%7B%22inSet._id%22%3A+%22${set._id}%22%7D&projection=%7B%7D`
  t.match(await succeed(members), [{ _id: material._id, formula: 'Si' }])

  // JobEndpoints: create_by_ids without an owner, submit, list_files.
  const [workflow] = await succeed('GET workflows?query=%7B%22name%22%3A+%22Total+Energy%22%7D')
  const [project] = await succeed('GET projects?query=%7B%22name%22%3A+%22Default%22%7D')
  const config = {
    _project: { _id: project._id },
    workflow: { _id: workflow._id },
    owner: { _id: null },
    name: 'job Si',
    _material: { _id: material._id },
  }
  const job = await succeed('PUT jobs/create', config)
  t.equal(job.owner._id, 'oEb32zJWy27miFESb')
  t.same(job.workflow, workflow, 'the workflow is embedded')
  await succeed(`POST jobs/${job._id}/submit`)
  t.equal((await succeed(`GET jobs/${job._id}`)).status, 'submitted')
  t.match(await succeed('GET jobs/9gyhfncWDhnSyzALv/files'), [{ name: 'pw_scf.in' }])
})
