import { DeploymentUnusable } from '../../errors.js'
import { loadFixtures } from '../../fixtures/load-fixtures.js'
import { isJsonObject } from '../../json/json.js'
import type { JsonObject } from '../../json/json.js'
import type { Fixtures } from '../../store/fixtures.js'
import { fetchItems, fetchOrder } from '../remote/fetch-items.js'
import { RemoteSession } from '../remote/remote-session.js'
import { untilSignal } from '../remote/until-signal.js'
import { createProgressBar } from './progress-bar.js'
import type { ProgressBar } from './progress-bar.js'
import { listResources } from './record-options.js'
import type { RecordOptions } from './record-options.js'
import { Recording } from './recording.js'
import { createRedactor } from '../../json/redact.js'

/** The credentials of the account in a recording. They are made up. */
const CREDENTIALS = { username: 'recorded', password: 'recorded', tokens: ['recorded-token'] }

/**
 * Records what an account sees at a deployment as a folder of fixtures, with which the mock has the
 * same lists. One request is sent at a time. What is interrupted is continued by the same command.
 * @returns whether the mock can serve the folder
 * @throws OptionsInvalid for a target that can't be written; DeploymentUnusable for a deployment that
 *   does not answer with lists
 */
export async function record(options: RecordOptions): Promise<boolean> {
  const { out = 'recorded' } = options
  const bar = createProgressBar(process.stderr)
  const { counts, problem } = await untilSignal(async (signal) => {
    const [first = 'materials'] = listResources(options)
    const session = await RemoteSession.open(options, first, { signal, onWait: bar.wait })
    try {
      return await recordResources(session, options, out, bar)
    } finally {
      bar.end()
      await session.end()
    }
  })
  const list = [...counts].map(([resource, count]) => `${resource} (${count})`).join(', ')
  console.log(`recorded ${list || 'nothing'} to ${out}`)
  if (problem === undefined) console.log(`serve it with: materials-mock --fixtures ${out}${LOGIN}`)
  else console.error(`materials-mock: the mock can't serve it: ${problem}`)
  return problem === undefined
}

const LOGIN = `; log in as ${CREDENTIALS.username} / ${CREDENTIALS.password}`

/** The number of items of each resource, and why the mock can't serve them, if it can't. */
interface Recorded {
  readonly counts: ReadonlyMap<string, number>
  readonly problem: string | undefined
}

async function recordResources(
  session: RemoteSession,
  options: RecordOptions,
  out: string,
  bar: ProgressBar,
): Promise<Recorded> {
  const { url, limit = null } = options
  const redact = options.redact?.split(',') ?? []
  const { accountId } = session
  const query = JSON.parse(options.query ?? '{}') as JsonObject
  const recording = await Recording.open(out, { url, accountId, query, limit, redact })
  const counts = new Map<string, number>()
  try {
    for (const resource of listResources(options)) {
      const count = await recordResource(session, resource, recording, options, bar)
      if (count !== undefined) counts.set(resource, count)
      else if (options.resource !== undefined)
        throw new DeploymentUnusable(`${resource}: the server answers 404: there is none`)
    }
  } catch (error) {
    if (!(error instanceof DeploymentUnusable)) throw error
    throw new DeploymentUnusable(`${error.message}; the same command continues the recording`)
  }
  const { fixtures, problem } = await tryToLoad(recording.folder)
  const slug = fixtures && findSlug(fixtures, accountId)
  await recording.finish([{ _id: accountId, ...CREDENTIALS, ...(slug !== undefined && { slug }) }])
  return { counts, problem: problem?.replaceAll(recording.folder, out) }
}

/** Records a resource. Returns the number of its items, or undefined if there is no such resource. */
async function recordResource(
  session: RemoteSession,
  resource: string,
  recording: Recording,
  { query: text = '{}', limit = Infinity, redact = '' }: RecordOptions,
  bar: ProgressBar,
): Promise<number | undefined> {
  const done = await recording.countComplete(resource)
  if (done !== undefined) return done
  const query = JSON.parse(text) as JsonObject
  const order = await fetchOrder(session, resource, query)
  if (order === undefined) return undefined
  const total = Math.min(order.size, limit)
  let { count, last } = await recording.readProgress(resource)
  bar.show(resource, count, total)
  for await (const page of fetchItems(session, resource, {
    query,
    limit: limit - count,
    after: last,
  })) {
    const paths = redact.split(',').filter((path) => path !== '')
    await recording.append(resource, page.map(createRedactor(paths, session.secrets)))
    count += page.length
    bar.show(resource, count, Math.max(count, total))
  }
  return recording.complete(resource, order)
}

/** Returns the slug of the account that stands in one of its items. */
function findSlug({ resources }: Fixtures, accountId: string): string | undefined {
  for (const { items } of resources.values()) {
    for (const { owner } of items) {
      if (isJsonObject(owner) && owner._id === accountId && typeof owner.slug === 'string')
        return owner.slug
    }
  }
  return undefined
}

/** Loads the folder as the mock does. The deployment may have items that the mock refuses. */
async function tryToLoad(
  folder: string,
): Promise<{ readonly fixtures?: Fixtures; readonly problem?: string }> {
  try {
    return { fixtures: await loadFixtures(folder) }
  } catch (error) {
    return { problem: (error as Error).message }
  }
}
