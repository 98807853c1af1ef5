import { readdirSync, statSync, watch } from 'node:fs'
import type { FSWatcher } from 'node:fs'
import { join } from 'node:path'

import { FixturesInvalid, OptionsInvalid } from '../errors.js'
import { FIXTURE_FILE } from './fixture-file.js'
import { readFixtures } from './fixtures.js'
import type { Store } from './store.js'

/** Where a watch tells what it does. */
export interface WatchLog {
  info(message: string): void
  warn(message: string): void
  error(message: string): void
}

/** How long a folder must be quiet before it is read, in ms: an editor writes in several steps. */
const QUIET = 100

/**
 * Loads each file of a folder anew when it changes. What is broken is told once, and what was
 * loaded before stays until it is mended.
 * @returns what ends it
 * @throws OptionsInvalid where the folder can't be watched
 */
export function watchFixtures(folder: string, store: Store, log: WatchLog): () => void {
  const watcher = startWatcher(folder)
  const reload = makeReload(folder, store, log)
  let last = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  watcher.on('change', () => {
    clearTimeout(timer)
    timer = setTimeout(() => (last = last.then(reload)), QUIET)
  })
  watcher.on('error', ({ message }) => log.error(`${folder} is no longer watched: ${message}`))
  return () => {
    clearTimeout(timer)
    watcher.close()
  }
}

function startWatcher(folder: string): FSWatcher {
  try {
    return watch(folder, { persistent: false })
  } catch (error) {
    throw new OptionsInvalid(`watch can't watch ${folder}: ${(error as Error).message}`)
  }
}

/** Makes what loads the files that are not what they were when it was last called. */
function makeReload(folder: string, store: Store, log: WatchLog): () => Promise<void> {
  let known = stampFiles(folder)
  return async () => {
    try {
      const now = stampFiles(folder)
      const changed = [...now].filter(([file, stamp]) => known.get(file) !== stamp)
      const gone = [...known.keys()].filter((file) => !now.has(file))
      known = now
      for (const [file] of changed) await loadFile(folder, file, store, log)
      for (const file of gone)
        log.warn(`${join(folder, file)} is gone; what it held is served until a restart`)
    } catch (error) {
      log.error(`${folder} can't be read: ${(error as Error).message}`)
    }
  }
}

async function loadFile(folder: string, file: string, store: Store, log: WatchLog): Promise<void> {
  const path = join(folder, file)
  const name = file.replace(FIXTURE_FILE, '')
  try {
    const { accounts, resources } = await readFixtures(folder, name)
    const items = resources.get(name) ?? []
    if (name === 'accounts') store.reloadAccounts(accounts)
    else if (store.collections.has(name)) store.reload(name, items)
    else return log.warn(`${path} is new; a restart is needed to serve it`)
    log.info(`${path} is loaded anew`)
  } catch (error) {
    if (!(error instanceof FixturesInvalid)) throw error
    log.error(`${error.message}; what was loaded before stays`)
  }
}

/** What tells one state of a file from another, by the names of the files. */
function stampFiles(folder: string): ReadonlyMap<string, string> {
  const stamps = new Map<string, string>()
  for (const file of readdirSync(folder)) {
    if (!FIXTURE_FILE.test(file) || file.startsWith('.')) continue
    const stats = statSync(join(folder, file), { throwIfNoEntry: false })
    if (stats !== undefined) stamps.set(file, `${stats.ino} ${stats.size} ${stats.mtimeMs}`)
  }
  return stamps
}
