import { BoundExceeded, SandboxNotFound } from '../../errors.js'
import { defineOperation } from '../control.js'
import type { Sandbox } from './sandbox.js'

export const MAX_SANDBOXES = 1000

export class Sandboxes {
  /** The sandbox of all requests that name no sandbox. */
  readonly main: Sandbox
  readonly #create: (name?: string) => Sandbox
  readonly #byName = new Map<string, Sandbox>()

  constructor(create: (name?: string) => Sandbox) {
    this.#create = create
    this.main = create()
  }

  list(): string[] {
    return [...this.#byName.keys()].toSorted()
  }

  find(name: string): Sandbox | undefined {
    return this.#byName.get(name)
  }

  /** @throws SandboxNotFound */
  get(name: string): Sandbox {
    const sandbox = this.find(name)
    if (sandbox === undefined) throw new SandboxNotFound(name)
    return sandbox
  }

  /**
   * Makes a sandbox. It replaces a sandbox with the same name: a request to the former sandbox that is
   * still being handled changes nothing in the new one.
   * @throws BoundExceeded if there are too many sandboxes
   */
  make(name: string): Sandbox {
    if (this.#byName.size >= MAX_SANDBOXES && !this.#byName.has(name)) {
      throw new BoundExceeded(
        `there must be at most ${MAX_SANDBOXES} sandboxes; end some with DELETE /__admin/sandboxes/{name}`,
      )
    }
    const former = this.find(name)
    const sandbox = this.#create(name)
    this.#byName.set(name, sandbox)
    former?.end()
    return sandbox
  }

  /** Empties all journals, which are incomplete afterwards, and forgets all removed items. */
  makeRoom(): void {
    for (const { journal, store } of [this.main, ...this.#byName.values()]) {
      journal.drop()
      store.forgetRemoved()
    }
  }

  /** @throws SandboxNotFound */
  end(name: string): void {
    const sandbox = this.get(name)
    this.#byName.delete(name)
    sandbox.end()
  }
}

export const createSandboxOperations = (sandboxes: Sandboxes) => [
  defineOperation('GET /sandboxes', 'sandboxes-list', 'List the sandboxes', {
    description: 'By name.',
    isShared: true,
    run: ({ origin }) => sandboxes.list().map((name) => toSummary(origin, name)),
  }),
  defineOperation('PUT /sandboxes/:name', 'sandboxes-make', 'Make a sandbox', {
    description:
      'Makes a sandbox with the fixtures as loaded. It replaces a sandbox with the same name, and its snapshots.',
    errors: [new BoundExceeded('there must be at most 1000 sandboxes; end some first')],
    isShared: true,
    run: ({ origin, params: { name } }) => {
      sandboxes.make(name)
      return toSummary(origin, name)
    },
  }),
  defineOperation('DELETE /sandboxes/:name', 'sandboxes-end', 'End a sandbox', {
    description: 'From then on, requests to the sandbox are a 404.',
    errors: [new SandboxNotFound('ann')],
    isShared: true,
    run: ({ params }) => sandboxes.end(params.name),
  }),
]

const toSummary = (origin: string, name: string) => ({
  name,
  url: `${origin}/sandboxes/${name}`,
})
