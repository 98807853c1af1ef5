import { test as base } from '@playwright/test'

export const MOCK = 'http://127.0.0.1:4000'

/** Gives each test a sandbox of its own: all requests of its page and of `request` are in it. */
export const test = base.extend<{ sandbox: void }>({
  extraHTTPHeaders: ({ extraHTTPHeaders }, use, { testId }) =>
    use({ ...extraHTTPHeaders, 'X-Mock-Sandbox': testId }),
  sandbox: [
    async ({ request }, use, { testId }) => {
      await request.put(`${MOCK}/__admin/sandboxes/${testId}`)
      await use()
      await request.delete(`${MOCK}/__admin/sandboxes/${testId}`)
    },
    { auto: true },
  ],
})
