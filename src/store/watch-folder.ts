import { statSync, watch } from 'node:fs'
import type { FSWatcher } from 'node:fs'

/** How long a folder must be quiet before it is told, in ms: an editor writes in several steps. */
const QUIET = 100

/** How long a folder may be restless before it is told all the same, in ms. */
const RESTLESS = 400

/** How often it is looked whether another folder is there by the name, in ms. */
const RECHECK = 400

/**
 * Tells that something in a folder has changed. A checkout or a copy may put another folder in its
 * place, of which a watcher hears nothing: that one is watched then, and told too.
 * @returns what ends it
 * @throws what `fs.watch` does where the folder can't be watched
 */
export function watchFolder(folder: string, onChange: () => void): () => void {
  let timer: NodeJS.Timeout | undefined
  let since: number | undefined
  const tell = (): void => {
    since = undefined
    onChange()
  }
  const soon = (): void => {
    since ??= performance.now()
    clearTimeout(timer)
    timer = setTimeout(tell, Math.min(QUIET, since + RESTLESS - performance.now()))
  }
  const start = (): FSWatcher =>
    watch(folder, { persistent: false })
      .on('change', soon)
      .on('error', () => (watched = undefined))

  let watched = identityOf(folder)
  let watcher = start()
  const recheck = setInterval(() => {
    const identity = identityOf(folder)
    if (identity === watched) return
    watcher.close()
    soon()
    try {
      if (identity !== undefined) watcher = start()
      watched = identity
    } catch {
      watched = undefined // to try again
    }
  }, RECHECK).unref()

  return () => {
    clearInterval(recheck)
    clearTimeout(timer)
    watcher.close()
  }
}

/** What tells one folder of a name from another; an inode alone may be given again. */
function identityOf(folder: string): string | undefined {
  const stats = statSync(folder, { throwIfNoEntry: false })
  return stats && `${stats.ino} ${stats.birthtimeMs}`
}
