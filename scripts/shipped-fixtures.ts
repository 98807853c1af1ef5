import { readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const FOLDER = fileURLToPath(new URL('../fixtures/', import.meta.url))

/** Reads the fixtures that come with the package: the items of each resource, accounts and scenarios. */
export const readShippedFixtures = (): Record<string, unknown> =>
  Object.fromEntries(
    readdirSync(FOLDER)
      .filter((file) => file.endsWith('.json'))
      .map((file) => [
        file.replace('.json', ''),
        JSON.parse(readFileSync(FOLDER + file, 'utf8')) as unknown,
      ]),
  )
