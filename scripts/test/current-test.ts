import root from 'tap'
import type { Test } from 'tap'

/** What `import t from 'tap'` gives the test file that runs now. */
let current: Test = root

/** Sets the test that the next test file belongs to. */
export function setCurrentTest(test: Test): void {
  current = test
}

export { current as default }
