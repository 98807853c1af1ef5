import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

import { MOYO_FILE, findMoyo } from '../domain/materials/load-moyo.js'
import { OptionsInvalid } from '../errors.js'
import { loadFixtures } from '../fixtures/load-fixtures.js'
import type { InlineFixtures } from '../fixtures/validate-fixtures.js'
import { makeFolder } from '../fixtures/write-files.js'
import type { JsonObject } from '../json/json.js'
import { Options } from '../options.js'
import { packagePath } from '../package.js'
import { SHIPPED_FIXTURES, buildApp } from '../server/app.js'
import { parseValues } from './command.js'
import type { Command } from './command.js'

/** The options of `materials-mock site`. Each is a flag. */
export const SiteOptions = Type.Object(
  {
    fixtures: Options.properties.fixtures,
    scenario: Type.Optional(
      Type.String({
        minLength: 1,
        title: 'NAME',
        description: 'scenario of the fixtures that a first visit shows',
      }),
    ),
  },
  { additionalProperties: false },
)
export type SiteOptions = Static<typeof SiteOptions> & { readonly out: string }

/** `materials-mock site` */
export const site: Command<SiteOptions> = {
  usage: 'OUT [options]',
  summary: 'site writes a static site with the page, the explorer and the API to a folder:',
  schema: SiteOptions,
  operands: ['OUT'],
  parse: ({ OUT: out, ...flags }) => {
    if (out === undefined) throw new OptionsInvalid('give a folder to write to: site public')
    return { ...parseValues(SiteOptions, flags, {}, () => false), out: String(out) }
  },
  run: writeSite,
}

/** The file that tells that a folder is a site of this command. */
const MARK = 'materials-mock.site'

/**
 * Writes a site. A former one in the folder is replaced.
 * @throws OptionsInvalid for a folder with other files, and for one that can't be written
 * @throws FixturesInvalid, ScenarioNotFound
 */
async function writeSite({ out, scenario, fixtures }: SiteOptions): Promise<boolean> {
  const data = await readData(fixtures, scenario)
  try {
    await clear(out)
    await cp(packagePath('dist/ui'), join(out, 'ui'), {
      recursive: true,
      filter: (path) => !/\.(br|gz|html)$/.test(path),
    })
    await cp(packagePath('dist/browser'), out, { recursive: true })
    await cp(findMoyo(), join(out, MOYO_FILE))
    for (const file of ['index.html', 'explorer.html']) {
      const html = await readFile(packagePath(`dist/ui/${file}`), 'utf8')
      await writeFile(join(out, file), toSitePage(html, scenario))
    }
    await writeFile(join(out, 'data.json'), data)
    await writeFile(join(out, '.nojekyll'), '') // GitHub Pages then serves the files as they are
  } catch (error) {
    if (error instanceof OptionsInvalid) throw error
    throw new OptionsInvalid(`${out} can't be written: ${(error as Error).message}`)
  }
  console.log(`${out} is a site now; serve it by any server of files, such as npx serve ${out}`)
  return true
}

/**
 * Returns what the mock of a site reads: its fixtures, the scenario, and a hash of both.
 * @throws FixturesInvalid, ScenarioNotFound
 */
async function readData(directory = SHIPPED_FIXTURES, scenario?: string): Promise<string> {
  const content = await loadFixtures(directory)
  const fixtures = {
    ...Object.fromEntries(content.resources),
    accounts: content.accounts,
    ...(content.scenarios && { scenarios: content.scenarios.items as JsonObject }),
  } as InlineFixtures
  const app = await buildApp({ fixtures, logLevel: 'silent' })
  try {
    await app.scenarios.check()
    if (scenario !== undefined) app.scenarios.apply(scenario, app.sandboxes.main)
    const text = JSON.stringify({ fixtures, scenario })
    const id = createHash('sha256').update(text).digest('hex').slice(0, 16)
    return `${text.slice(0, -1)},"id":"${id}"}`
  } finally {
    await app.close()
  }
}

/** Makes a folder, or removes the site that is in it. */
async function clear(out: string): Promise<void> {
  makeFolder(out)
  const names = await readdir(out)
  if (names.length > 0 && !existsSync(join(out, MARK))) {
    throw new OptionsInvalid(
      `${out} has files that are not of a site of materials-mock; give a new or an empty folder`,
    )
  }
  for (const name of names) await rm(join(out, name), { recursive: true })
  await writeFile(
    join(out, MARK),
    'Written by materials-mock site, which replaces all files here.\n',
  )
}

/** Lets a page of the server start the mock of the site before its own script. */
const toSitePage = (html: string, scenario = ''): string =>
  html
    .replace('<html ', `<html data-site="${escapeAttribute(scenario)}" `)
    .replace(
      /<script type="module" src="([^"]+)"/,
      '<script type="module" src="page.js" data-page="$1"',
    )

const escapeAttribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
