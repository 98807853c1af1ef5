import root from 'tap'

import { setCurrentTest } from './current-test.js'

/** A test file may take this long, in ms. */
const TIMEOUT = 600_000

/**
 * Runs test files one after the other in this process. Each is a test named after its file. A warning
 * of the process fails the file that ran.
 * @param files the names of the files and what imports them
 */
export async function runFiles(
  files: Readonly<Record<string, () => Promise<unknown>>>,
): Promise<void> {
  const warnings: Error[] = []
  process.on('warning', (warning) => warnings.push(warning))
  for (const [name, load] of Object.entries(files)) {
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
