import { existsSync } from 'node:fs'

/** Debian's Chromium. Its headless shell opens a page in half of the time that the whole browser takes. */
const PATHS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'] as const

/** The path of the browser that tests and scripts start. */
export const CHROMIUM = PATHS.find((path) => existsSync(path)) ?? PATHS[0]
