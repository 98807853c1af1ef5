import { setImmediate as nextTurn } from 'node:timers/promises'

import { Scenario } from '@materials-mock/api'
import {
  compileParser,
  describeClosest,
  describeViolation,
  findViolation,
  isJsonObject,
  quote,
  withoutUndefined,
} from '@materials-mock/json'
import type { JsonObject } from '@materials-mock/json'
import { runToEnd } from '@materials-mock/work'
import type { Work } from '@materials-mock/work'
import { CatalogueError, FixturesInvalid, ScenarioNotFound } from '../errors.js'
import { seedStore } from '../fixtures/seed/seed-store.js'
import { createItemCheck, describeWrongName } from '../fixtures/validate-items.js'
import { describeResource } from '../resources/resources.js'
import type { Collection } from '../store/collection.js'
import type { Entry } from '../store/entry.js'
import { formatLife, parseLife } from '../store/jobs/life.js'
import type { Life, Lives } from '../store/jobs/life.js'
import type { Fixtures, LoadedFixtures } from '../store/loaded-fixtures.js'
import { applyClockChange } from './clock.js'
import { defineOperation } from './control.js'
import type { Sandbox } from './sandboxes/sandbox.js'

const parseScenario = compileParser(Scenario, 'body', 'it')

/** The largest number of levels of a scenario. An item may have 100. */
const MAX_DEPTH = 106

/** A name is a segment of a path, which "." and ".." can't be, nor half a surrogate pair. */
const NAME = /^(?!\.{1,2}$)[^/\p{Cc}\p{Cs}]{1,100}$/u

interface Replacement {
  readonly collection: Collection
  readonly lives: Lives
}

interface ParsedScenario extends Scenario {
  readonly replacements: readonly Replacement[]
}

/**
 * The scenarios of one server by name. A scenario is a state of a sandbox, starting from the fixtures.
 * Trying them takes some 20 ms of a start, so a server tries them before it listens, or at their first use.
 */
export class Scenarios {
  readonly #fixtures: LoadedFixtures
  readonly #createSandbox: () => Sandbox
  readonly #source: Fixtures['scenarios']
  /** The scenarios; undefined until they have been tried. */
  #byName: ReadonlyMap<string, ParsedScenario> | undefined

  constructor(
    fixtures: LoadedFixtures,
    source: Fixtures['scenarios'],
    createSandbox: () => Sandbox,
  ) {
    this.#fixtures = fixtures
    this.#source = source
    this.#createSandbox = createSandbox
  }

  /**
   * In the order of the file.
   * @throws FixturesInvalid as `load` does
   */
  get names(): string[] {
    return [...this.#tried.keys()]
  }

  get #tried(): ReadonlyMap<string, ParsedScenario> {
    return (this.#byName ??= new Map(this.#read(this.#source)))
  }

  /** @throws FixturesInvalid with file, name and path inside; the former scenarios stay then */
  load(source: Fixtures['scenarios']): void {
    this.#byName = new Map(this.#read(source))
  }

  /**
   * Tries each in its own turn, so no request waits.
   * @throws FixturesInvalid as `load` does
   */
  async check(): Promise<void> {
    if (this.#byName !== undefined) return
    const byName = new Map<string, ParsedScenario>()
    for (const [name, scenario] of this.#read(this.#source)) {
      byName.set(name, scenario)
      await nextTurn()
    }
    this.#byName ??= byName // unless a file was loaded meanwhile
  }

  *#read(source: Fixtures['scenarios']): Generator<[string, ParsedScenario]> {
    const { file, items: content } = source ?? { file: '', items: {} }
    if (!isJsonObject(content)) {
      throw new FixturesInvalid(
        `${file} must be an object of scenarios by name, such as {"no materials": {"items": {"materials": []}}}, not ${quote(content)}`,
      )
    }
    for (const [name, scenario] of Object.entries(content)) {
      yield within(`${file}, scenario ${quote(name)}`, () => {
        const parsed = this.#parse(name, scenario)
        const sandbox = this.#createSandbox()
        try {
          applyScenario(parsed, sandbox)
        } finally {
          sandbox.end()
        }
        return [name, parsed]
      })
    }
  }

  /**
   * Returns where the page opens the scenario, if it says so.
   * @throws ScenarioNotFound; the sandbox is as before then
   */
  apply(name: string, sandbox: Sandbox): { readonly view?: string } {
    const scenario = this.#find(name)
    sandbox.reset()
    applyScenario(scenario, sandbox)
    return scenario.view === undefined ? {} : { view: scenario.view }
  }

  #find(name: string): ParsedScenario {
    const scenario = this.#tried.get(name)
    if (scenario === undefined) throw new ScenarioNotFound(name, this.#describeNames(name))
    return scenario
  }

  /**
   * Returns how a sandbox differs from the fixtures, as a scenario: applied to a server with the same
   * fixtures, it gives the same items, jobs, faults and time. Sessions and files are no part of it. Items are as
   * they were written, with what time does to them. While a job runs, the scenario has the time, because the job would
   * have ended otherwise.
   */
  *save({ store, faults }: Sandbox): Work<Scenario> {
    const { clock } = store
    const time = clock.now()
    const items: Record<string, JsonObject[]> = {}
    const lives: Record<string, Record<string, JsonObject>> = {}
    let hasRun = false
    for (const [resource, timed] of store.timed) {
      const written = timed.shareWritten()
      const list: JsonObject[] = []
      const ofItems: [string, JsonObject][] = []
      let hasEnded = false
      for (const { id, item } of written.entries) {
        const life = written.lives?.get(id)
        list.push(item)
        if (life !== undefined) ofItems.push([id, formatLife(life)])
        if (life?.kind === 'job') {
          hasEnded ||= life.isDone
          hasRun ||= time < Math.min(life.run.endsAt, life.endedBy ?? Infinity)
        }
        yield 'scanning items'
      }
      if (!hasEnded && !(yield* differ(list, store.initial.get(resource)?.entries))) continue
      items[resource] = list
      if (ofItems.length > 0) lives[resource] = Object.fromEntries(ofItems)
    }
    const { now, frozen } = clock.state
    return {
      ...(Object.keys(items).length > 0 && { items }),
      ...(Object.keys(lives).length > 0 && { lives }),
      ...(!faults.isEmpty && { faults: faults.added }),
      ...((hasRun || !clock.isSystem) && {
        clock: { [clock.isRewound ? 'rewind' : 'set']: now, ...(frozen && { freeze: true }) },
      }),
    }
  }

  #describeNames(name: string): string {
    const { names } = this
    if (names.length === 0) return 'there are none, as the fixtures have no scenarios.json'
    return `there are ${names.map((each) => quote(each)).join(', ')}${describeClosest(String(name), names)}`
  }

  /** @throws BodyInvalid for a malformed scenario */
  #parse(name: string, content: unknown): ParsedScenario {
    if (!NAME.test(name)) {
      throw new FixturesInvalid(
        'its name must be a path segment of 1 to 100 characters: without "/" and control characters, and not "." or ".."',
      )
    }
    const violation = findViolation(content, { maxDepth: MAX_DEPTH })
    if (violation !== undefined) throw new FixturesInvalid(describeViolation(violation))
    const scenario = parseScenario(content)
    const known = [...this.#fixtures.state.collections.keys()]
    for (const resource of Object.keys(scenario.lives ?? {})) {
      if (scenario.items?.[resource] !== undefined) continue
      throw new FixturesInvalid(`lives.${resource} must come with items.${resource}`)
    }
    const replacements = Object.entries(scenario.items ?? {}).map(([resource, items]) => {
      const closest = known.includes(resource) ? '' : describeClosest(resource, known)
      const wrongName =
        closest === '' ? describeWrongName(resource) : `it is no resource of the fixtures${closest}`
      if (wrongName !== undefined) throw new FixturesInvalid(`items.${resource}: ${wrongName}`)
      const describe = (index: number): string => `items.${resource}[${index}]`
      const check = createItemCheck(FixturesInvalid, describe, describeResource(resource).item)
      const given = new Map(Object.entries(scenario.lives?.[resource] ?? {}))
      const lives = new Map<string, Life>()
      const collection = this.#fixtures.createCollection(resource)
      for (const [index, each] of items.entries()) {
        const { id, item } = collection.insert(check(each, index))
        const life = parseLife(item, given.get(id))
        if (life === undefined) continue
        given.delete(id)
        lives.set(id, life)
      }
      const [wrong] = given.keys()
      if (wrong !== undefined) {
        throw new FixturesInvalid(
          `lives.${resource}[${quote(wrong)}] must be a life as GET /__admin/scenario returns it, of an item of items.${resource}`,
        )
      }
      return { collection, lives }
    })
    return { ...scenario, replacements }
  }
}

/** @throws CatalogueError with the path of the part that can't be applied */
function applyScenario(
  { replacements, seed, faults = [], clock: { advance, ...time } = {} }: ParsedScenario,
  { store, faults: rules }: Sandbox,
): void {
  within('clock', () => applyClockChange(store.clock, time))
  for (const { collection, lives } of replacements) store.replaceItems(collection, lives)
  if (seed !== undefined) runToEnd(seedStore(store, seed))
  for (const [index, fault] of faults.entries()) within(`faults[${index}]`, () => rules.add(fault))
  within('clock', () => applyClockChange(store.clock, withoutUndefined({ advance })))
}

/** Whether items differ from those of entries, or from their order, or whether there are no entries. */
function* differ(items: readonly JsonObject[], others?: readonly Entry[]): Work<boolean> {
  if (items.length !== others?.length) return true
  for (const [index, item] of items.entries()) {
    const other = others[index]?.item
    if (item !== other && JSON.stringify(item) !== JSON.stringify(other)) return true
    yield 'scanning items'
  }
  return false
}

/** Runs a function. The message of its error starts with a path. */
function within<Result>(path: string, run: () => Result): Result {
  try {
    return run()
  } catch (error) {
    throw error instanceof CatalogueError ? new FixturesInvalid(`${path}: ${error.message}`) : error
  }
}

export const createScenarioOperations = (scenarios: Scenarios) => [
  defineOperation('GET /scenarios', 'scenarios-list', 'List the names of the scenarios', {
    description: 'Lists the names in the order of `scenarios.json`.',
    run: () => scenarios.names,
  }),
  defineOperation('GET /scenario', 'scenario-save', 'Get the state as a scenario', {
    description:
      'Returns how the state differs from the fixtures, in the form of an entry of `scenarios.json`: the resources whose items differ, the faults as they would be added, and the clock if it is not that of the system or a job runs. Sessions and files are left out.',
    work: ({ sandbox }) => scenarios.save(sandbox),
  }),
  defineOperation('POST /scenarios/:name', 'scenarios-apply', 'Apply a scenario', {
    description:
      'Resets the state, and then replaces items, adds faults and changes the clock as the scenario says. Returns its `view`, if it has one.',
    errors: [new ScenarioNotFound('x', 'there are "empty account"')],
    replacesState: true,
    run: ({ sandbox, params }) => scenarios.apply(params.name, sandbox),
    respond: async ({ sandbox, params }, reply) => {
      const opened = await reply.runStep(() => scenarios.apply(params.name, sandbox))
      await sandbox.store.catchUp()
      return opened
    },
  }),
]
