import { defineConfig } from '@playwright/test'

export default defineConfig({
  fullyParallel: true,
  workers: 8,
  use: { baseURL: 'http://127.0.0.1:3000' },
  webServer: [
    {
      command: 'materials-mock --port 4000',
      url: 'http://127.0.0.1:4000/__admin/health',
      reuseExistingServer: true,
    },
    { command: 'node front-end.mjs', url: 'http://127.0.0.1:3000', reuseExistingServer: true },
  ],
})
