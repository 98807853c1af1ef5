import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { generateMaterials } from '@materials-mock/structures'
import type { ServerCommand } from '../servers/server-command.js'

/** The number of materials: enough for indexes. */
const MATERIALS = 2000

/** The seed of the materials. */
export const MATERIALS_SEED = 1

/**
 * Writes the fixtures of a soak to a folder: the shipped ones, which the scenarios name, and more materials.
 * @param options more options of the server
 * @returns our server with these fixtures
 */
export async function defineSoaked(
  folder: string,
  options: readonly string[] = [],
): Promise<ServerCommand> {
  const fixtures = join(folder, 'fixtures')
  await mkdir(fixtures)
  await cp(toPath('../../fixtures'), fixtures, { recursive: true })
  const file = join(fixtures, 'materials.json')
  const shipped = JSON.parse(await readFile(file, 'utf8')) as object[]
  const generated = generateMaterials(MATERIALS, { seed: MATERIALS_SEED })
  await writeFile(file, JSON.stringify([...shipped, ...generated]))
  return {
    name: 'the server',
    createArguments: (port) => [
      toPath('../../dist/cli.cjs'),
      `--port=${port}`,
      `--fixtures=${fixtures}`,
      '--log-level=fatal',
      '--job-duration=200',
      '--session-ttl=60',
      ...options,
    ],
    headers: {},
    readyPath: '/__admin/health',
  }
}

const toPath = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
