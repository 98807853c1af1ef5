import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

import { FixturesInvalid, OptionsInvalid } from '../errors.js'
import { FIXTURE_FILE, reason } from './fixture-file.js'
import { readFixtures } from './fixtures.js'
import type { Store } from './store.js'
import { watchFolder } from './watch-folder.js'

/** Where a watch tells what it does. */
export interface WatchLog {
  info(message: string): void
  warn(message: string): void
  error(message: string): void
}

/**
 * Loads each file of a folder anew when it changes. What is broken is told once, and what was
 * loaded before stays until it is mended.
 * @returns what ends it
 * @throws OptionsInvalid where the folder can't be watched
 */
export function watchFixtures(folder: string, store: Store, log: WatchLog): () => void {
  let last = Promise.resolve()
  try {
    const reload = makeReload(folder, store, log)
    return watchFolder(folder, () => void (last = last.then(reload)))
  } catch (error) {
    throw new OptionsInvalid(`watch can't watch ${folder}: ${reason(error)}`)
  }
}

/** Makes what loads the files that are not what they were when it was last called. */
function makeReload(folder: string, store: Store, log: WatchLog): () => Promise<void> {
  let known = stampFiles(folder)
  let trouble: string | undefined
  return async () => {
    try {
      const now = stampFiles(folder)
      const changed = [...now].filter(([file, stamp]) => known.get(file) !== stamp)
      const gone = [...known.keys()].filter((file) => !now.has(file))
      known = now
      for (const [file] of changed) await loadFile(folder, file, store, log)
      for (const file of gone.filter((name) => isServed(nameOf(name), store)))
        log.warn(`${join(folder, file)} is gone; what it held is served until a restart`)
      trouble = undefined
    } catch (error) {
      const message = `${folder} can't be read: ${reason(error)}; what was loaded before stays`
      if (message !== trouble) log.error(message)
      trouble = message
    }
  }
}

async function loadFile(folder: string, file: string, store: Store, log: WatchLog): Promise<void> {
  const path = join(folder, file)
  const name = nameOf(file)
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

const nameOf = (file: string): string => file.replace(FIXTURE_FILE, '')

const isServed = (name: string, store: Store): boolean =>
  name === 'accounts' || store.collections.has(name)

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
