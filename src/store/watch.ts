import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

import { FixturesInvalid, OptionsInvalid } from '../errors.js'
import { FIXTURE_FILE, reason } from './fixture-file.js'
import { readFixtures } from './fixtures.js'
import type { ResourceFixtures } from './fixtures.js'
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
  const known = stampFiles(folder)
  let trouble: string | undefined
  const loadIfChanged = async (file: string): Promise<void> => {
    const stamp = stampFile(join(folder, file))
    if (stamp === undefined || stamp === known.get(file)) return
    const apply = await readFile(folder, file, store, log)
    // Written to while it was read: another event tells that, and then it is read again.
    if (stampFile(join(folder, file)) !== stamp) return
    known.set(file, stamp)
    apply()
  }
  return async () => {
    try {
      const files = listFiles(folder)
      for (const file of files) await loadIfChanged(file)
      for (const file of [...known.keys()].filter((each) => !files.includes(each))) {
        known.delete(file)
        if (isServed(nameOf(file), store))
          log.warn(`${join(folder, file)} is gone; what it held is served until a restart`)
      }
      trouble = undefined
    } catch (error) {
      const message = `${folder} can't be read: ${reason(error)}; what was loaded before stays`
      if (message !== trouble) log.error(message)
      trouble = message
    }
  }
}

/** Reads one file; gives what then puts it in place, or tells why not. */
async function readFile(
  folder: string,
  file: string,
  store: Store,
  log: WatchLog,
): Promise<() => void> {
  const path = join(folder, file)
  const name = nameOf(file)
  try {
    const { accounts, resources } = await readFixtures(folder, name)
    if (!isServed(name, store))
      return () => log.warn(`${path} is new; a restart is needed to serve it`)
    return () => {
      if (name === 'accounts') store.reloadAccounts(accounts)
      else store.reload(name, resources.get(name) as ResourceFixtures)
      log.info(`${path} is loaded anew`)
    }
  } catch (error) {
    if (!(error instanceof FixturesInvalid)) throw error
    return () => log.error(`${error.message}; what was loaded before stays`)
  }
}

const nameOf = (file: string): string => file.replace(FIXTURE_FILE, '')

const isServed = (name: string, store: Store): boolean =>
  name === 'accounts' || store.collections.has(name)

const listFiles = (folder: string): string[] =>
  readdirSync(folder).filter((file) => FIXTURE_FILE.test(file) && !file.startsWith('.'))

/** The stamp of each file that is there, by its name. */
function stampFiles(folder: string): Map<string, string> {
  const stamps = new Map<string, string>()
  for (const file of listFiles(folder)) {
    const stamp = stampFile(join(folder, file))
    if (stamp !== undefined) stamps.set(file, stamp)
  }
  return stamps
}

/** What tells one state of a file from another; undefined where there is none. */
function stampFile(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats && `${stats.ino} ${stats.size} ${stats.mtimeMs}`
}
