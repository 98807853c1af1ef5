import type { FastifyInstance } from 'fastify'

import type { Scheduler } from '@materials-mock/work'
import { readTestRun } from '../controls/mutation/mutation.js'
import type { TestRun } from '../controls/mutation/mutation.js'
import { createMutator } from '../controls/mutation/mutator.js'
import { createObserver } from '../controls/mutation/observer.js'
import { SymmetryThread } from './symmetry-thread.js'
import { OptionsInvalid } from '../errors.js'
import { AnswerRecorder } from '../fixtures/answer-recorder.js'
import { FixtureReloader } from '../fixtures/fixture-reloader.js'
import { loadFixtures } from '../fixtures/load-fixtures.js'
import { StateFolder } from '../fixtures/state/state-folder.js'
import { validateFixtures } from '../fixtures/validate-fixtures.js'
import type { InlineFixtures } from '../fixtures/validate-fixtures.js'
import { checkIsOptions, completeOptions } from '../options.js'
import type { Options } from '../options.js'
import { packagePath, readPackageVersion } from '../package.js'
import { compose } from './compose.js'
import type { Settings } from './server-state.js'
import { createNetwork } from './connection/network.js'
import { createLogStream } from './log/log-stream.js'
import { pages } from './pages/pages.js'
import { readTlsFiles } from './tls.js'
import { createPassOn } from './upstream/pass-on.js'
import type { PassOn } from './upstream/pass-on.js'

/** The options of a server in process. */
export type BuildOptions = Partial<Omit<Options, 'fixtures'>> & {
  /** The path of a folder or a file of fixtures, or an array of items for each resource. */
  readonly fixtures?: string | InlineFixtures
}

export const SHIPPED_FIXTURES = packagePath('fixtures')

/** The directories that `npm run bundle` makes, from `src` and from `dist` alike. */
const BUNDLED_PAGES = packagePath('dist/ui')

/**
 * A server that is ready for `app.inject` and `app.listen`. Two servers share nothing.
 * @param testRun default: the variables of `materials-mock mutate`
 * @throws OptionsInvalid, FixturesInvalid, StateInvalid
 */
export async function buildApp(
  options: BuildOptions = {},
  { mutation, footprintFolder }: TestRun = readTestRun(process.env),
): Promise<FastifyInstance> {
  checkIsOptions(options)
  const { fixtures, ...rest } = options
  const isDirectory = fixtures === undefined || typeof fixtures === 'string'
  const settings = completeOptions(isDirectory ? { ...rest, fixtures } : rest)
  if (settings.watch && !isDirectory)
    throw new OptionsInvalid('watch needs a folder or a file of fixtures, not lists')
  const { logFormat, tlsCert, tlsKey, upstream } = settings
  const state = settings.state === undefined ? undefined : await StateFolder.open(settings.state)
  try {
    const directory = settings.fixtures ?? SHIPPED_FIXTURES
    const reloader = isDirectory && state === undefined ? new FixtureReloader(directory) : undefined
    const loaded = isDirectory
      ? await loadFixtures(directory, (name) => state?.has(name) !== true)
      : await validateFixtures(fixtures)
    return await compose(settings, loaded, {
      version: readPackageVersion(),
      openLog: () => createLogStream(logFormat),
      network: createNetwork(readTlsFiles(tlsCert, tlsKey)),
      reloader,
      symmetry: new SymmetryThread(),
      state,
      connectUpstream:
        upstream === undefined
          ? undefined
          : (app, scheduler) => connectUpstream(app, scheduler, upstream, settings),
      mutate: mutation && createMutator(mutation),
      observe: footprintFolder === undefined ? undefined : createObserver(footprintFolder),
      pages: (app) => pages(app, { directory: BUNDLED_PAGES }),
    })
  } catch (error) {
    await state?.close()
    throw error
  }
}

async function connectUpstream(
  app: FastifyInstance,
  scheduler: Scheduler,
  upstream: string,
  { upstreamRecord }: Settings,
): Promise<PassOn> {
  if (upstreamRecord === undefined) return createPassOn({ upstream })
  const recorder = await AnswerRecorder.open(upstreamRecord, scheduler, (message) =>
    app.log.error(message),
  )
  app.addHook('onClose', () => recorder.close())
  return createPassOn({ upstream, onAnswer: (answer) => recorder.record(answer) })
}
