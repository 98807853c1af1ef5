import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

import root from 'tap'
import type { Test } from 'tap'

import current, { setCurrentTest } from './current-test.js'

/** A test file may take this long, in ms. */
const TIMEOUT = 600_000

/** The folder in which a process claims the file that it runs. */
const CLAIMS = process.env.TEST_CLAIMS ?? ''

/**
 * Runs the test files that no other process has begun, one after the other. Each is a test named after
 * its file. A warning of the process fails the file that ran.
 * @param files the names of the files and what imports them
 * @param first the index of the file that is claimed for this process
 */
export async function runFiles(
  files: Readonly<Record<string, () => Promise<unknown>>>,
  first: number,
): Promise<void> {
  const warnings: Error[] = []
  process.on('warning', (warning) => warnings.push(warning))
  root.beforeEach(stopFollowing)
  process.on('uncaughtException', (error) => current.threw(error))
  for (const [index, [name, load]] of Object.entries(files).entries()) {
    if (index !== first && !claim(index)) continue
    await root.test(name, { timeout: TIMEOUT }, async (t) => {
      setCurrentTest(t)
      t.teardown(async () => {
        // Warnings are emitted in a turn of their own.
        await new Promise((resolve) => setImmediate(resolve))
        for (const { stack, message } of warnings.splice(0))
          root.fail(`${name} causes a warning of the process: ${message}`, { warning: stack })
      })
      await load()
    })
  }
}

/**
 * Stops that tap follows every promise and callback to the test that began it, which takes a tenth of
 * the time of all tests. Files run one at a time here, so an error that nobody catches is of the one
 * that runs.
 */
function stopFollowing({ hookDomain }: Test): void {
  hookDomain.destroy()
  root.hookDomain.destroy()
  root.hook.onDestroy?.()
}

/** Whether this process is the first to begin a file. */
function claim(index: number): boolean {
  try {
    mkdirSync(join(CLAIMS, String(index)))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return false
  }
}
