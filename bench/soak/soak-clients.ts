import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

import { generateMaterials } from '@materials-mock/structures'
import type { Random } from '@materials-mock/structures'
import { describeOutcome, sendRequest } from '../clients/send-request.js'
import type { Outcome, OutgoingRequest } from '../clients/send-request.js'
import { count } from '../figures/tally.js'
import type { ServerCommand } from '../servers/server-command.js'
import type { RunningServer } from '../servers/server-process.js'
import { chooseInteger } from './choose.js'
import { MATERIALS_SEED } from './define-soaked.js'
import { createAction } from './random-action.js'
import { sendBytes } from './send-bytes.js'

/** The time after which a client closes a connection without a response, in ms. */
const MAX_WAIT_MS = 2000

/** The time that a server may take to respond to a request that is answered at once, in ms. */
export const MAX_RESPONSE_MS = 30_000

/** The time between two looks whether the server responds, in ms. */
const LOOK_MS = 500

/** The number of `_id`s that are remembered of each resource. */
const MAX_IDS = 200

/** The number of requests that are quoted because they got an INTERNAL_ERROR. */
const MAX_QUOTED = 10

/** Clients that send random requests to one server. */
export class SoakClients {
  readonly responses: Record<string, number> = {}
  /** The first requests that got an INTERNAL_ERROR, shortened. */
  readonly internalErrors: string[] = []
  /** How the server ended, or that it does not respond, with its last words. */
  problem: string | undefined
  readonly #server: RunningServer<ServerCommand>
  readonly #number: number
  readonly #random: Random
  #ids = createFirstIds()

  constructor(server: RunningServer<ServerCommand>, number: number, random: Random) {
    this.#server = server
    this.#number = number
    this.#random = random
  }

  /** Sends requests for some time, in ms; ends early, with `problem`, if the server ends or does not respond. */
  async run(milliseconds: number): Promise<void> {
    const end = performance.now() + milliseconds
    const agent = new Agent({ keepAlive: true, maxSockets: this.#number })
    const isOver = (): boolean => performance.now() >= end || this.problem !== undefined
    const sendAll = async (): Promise<void> => {
      while (!isOver()) await this.#act(agent)
    }
    const look = async (): Promise<void> => {
      while (!isOver()) {
        this.problem = await describeSilence(this.#server)
        await sleep(LOOK_MS)
      }
    }
    await Promise.all([look(), ...Array.from({ length: this.#number }, sendAll)])
    agent.destroy()
  }

  async #act(agent: Agent): Promise<void> {
    const { origin } = this.#server
    const action = createAction(this.#random, this.#ids)
    if (action.kind === 'bytes') {
      const status = await sendBytes(Number(new URL(origin).port), action)
      count(this.responses, status === undefined ? 'bytes: closed' : `bytes: ${status}`)
      return
    }
    const outcome = await sendRequest(agent, origin, action.request, MAX_WAIT_MS)
    count(this.responses, describeOutcome(outcome))
    this.#noteError(action.request, outcome)
    // Most of the items that the clients know are gone.
    if (/\/(reset|restore)$/.test(action.request.path)) this.#ids = createFirstIds()
    if (action.resource !== undefined) this.#noteId(action.resource, outcome)
  }

  #noteError({ method, path, body = '' }: OutgoingRequest, outcome: Outcome): void {
    const isInternal = describeOutcome(outcome).endsWith(' INTERNAL_ERROR')
    if (!isInternal || this.internalErrors.length >= MAX_QUOTED) return
    this.internalErrors.push(`${method} ${path} ${body}`.slice(0, 500))
  }

  /** Remembers the item that a write returned, in place of another one. */
  #noteId(resource: string, { status, text }: Outcome): void {
    const id =
      status === 200 ? /^\{"status":"success","data":\{"_id":"(\w+)"/.exec(text)?.[1] : undefined
    const known = this.#ids.get(resource)
    if (id === undefined || known === undefined) return
    if (known.length < MAX_IDS) known.push(id)
    else known[chooseInteger(this.#random, known.length)] = id
  }
}

/** Returns how a server ended, or that it does not respond, with its last words; undefined if it responds. */
export async function describeSilence(
  { origin, describeExit, getOutput }: RunningServer<ServerCommand>,
  timeout = MAX_RESPONSE_MS,
): Promise<string | undefined> {
  const agent = new Agent()
  const health = { method: 'GET', path: '/__admin/health' }
  const outcome = await sendRequest(agent, origin, health, timeout)
  if (outcome.status === 200) return undefined
  await sleep(LOOK_MS) // a process that ends closes its sockets first
  const reason = `the server does not respond: ${describeOutcome(outcome)}`
  return describeExit() ?? [reason, getOutput()].filter(Boolean).join('; its last words: ')
}

/** Returns `_id`s of the fixtures. */
const createFirstIds = (): Map<string, string[]> =>
  new Map([
    ['materials', [...MATERIAL_IDS]],
    ['jobs', ['WcTtK8e6rPQPWSEm9', '9gyhfncWDhnSyzALv', 'GgRfH7arsjX6WzFXd']],
    ['projects', ['sK5ZSkYe9AmhPGXTE', 'ozPHoyTmERn69CL7Z']],
    ['workflows', ['WxFwmEPPNuJZ5eCpK', 'hubtqTv8Ge88MYHWo', 'fJvR96eP6jqBHBFoo']],
  ])

const MATERIAL_IDS = Array.from(generateMaterials(50, { seed: MATERIALS_SEED }), ({ _id }) => _id)
