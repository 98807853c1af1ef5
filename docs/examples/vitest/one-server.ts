import { startMock } from 'materials-mock'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    mockUrl: string
  }
}

/** Starts one mock for the tests of all workers, and closes it after them. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const mock = await startMock()
  project.provide('mockUrl', mock.url)
  return () => mock.close()
}
