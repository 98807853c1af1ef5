/// <reference lib="webworker" />
import type { InlineFixtures } from '../../fixtures/validate-fixtures.js'
import type { Mock } from '../../mock/members.js'
import { KeptItems, startMock } from '../server.js'
import type { ReplyMessage, RequestMessage } from './messages.js'

declare const self: DedicatedWorkerGlobalScope | SharedWorkerGlobalScope

// The mock of a site, which all tabs share: the shared worker, or the worker of the tab that leads.

export interface SiteData {
  readonly fixtures: InlineFixtures
  /** The scenario that is applied at the first start. */
  readonly scenario?: string
  readonly jobDuration?: number
  /** A hash of the data and the version: what was kept of others is deleted. */
  readonly id: string
}

/** The URL of the site, without a slash at its end. */
const BASE_URL = new URL('.', self.location.href).href.slice(0, -1)

async function start(): Promise<Mock> {
  const { scenario, id, ...options } = (await (await fetch('data.json')).json()) as SiteData
  const state = await KeptItems.open(BASE_URL, id)
  const moyo = new URL('moyo_wasm_bg.wasm', self.location.href)
  const mock = await startMock(options, moyo, { baseUrl: BASE_URL, state })
  if (scenario !== undefined && state.isNew) mock.scenario(scenario)
  return mock
}

const starting = start()
starting.catch(() => undefined) // each request says why

async function answer(request: RequestMessage): Promise<Response> {
  const mock = await starting.catch((error: Error) => error)
  if (mock instanceof Error) {
    const { message } = mock
    return Response.json(
      { status: 'error', message: `the mock can't start: ${message}` },
      { status: 500 },
    )
  }
  const { method, path, headers, body } = request
  return mock.fetch(path, {
    method,
    headers: [...headers],
    body: body.byteLength === 0 ? null : body,
  })
}

/** Answers a request at the port that came with it. */
async function serve({ data, ports: [port] }: MessageEvent<RequestMessage>): Promise<void> {
  const send = (message: ReplyMessage): void => port?.postMessage(message)
  send('taken')
  try {
    const { status, statusText, headers, body } = await answer(data)
    send({ status, statusText, headers: [...headers], hasBody: body !== null })
    const reader = body?.getReader()
    port?.addEventListener('message', () => void reader?.cancel())
    port?.start()
    for (let next = await reader?.read(); next?.done === false; next = await reader?.read())
      send({ chunk: next.value })
    send({ isDropped: false })
  } catch {
    send({ isDropped: true })
  }
}

if ('onconnect' in self) {
  self.addEventListener('connect', ({ ports: [port] }) => {
    port?.addEventListener('message', serve)
    port?.start()
    port?.postMessage('ready')
  })
} else {
  self.addEventListener('message', serve)
  self.postMessage('ready')
}
