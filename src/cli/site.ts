import { createHash } from 'node:crypto'
import { existsSync, lstatSync, realpathSync } from 'node:fs'
import { readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'

import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

import { asError, quote, toObject } from '@materials-mock/json'
import { MOYO_FILE, findMoyo } from '@materials-mock/structures'
import { OptionsInvalid } from '../errors.js'
import { loadFixtures } from '../fixtures/load-fixtures.js'
import type { InlineFixtures } from '../fixtures/validate-fixtures.js'
import { makeFolder } from '../fixtures/write-files.js'
import { Options, TextOption } from '../options.js'
import { packagePath, readPackageVersion } from '../package.js'
import { SHIPPED_FIXTURES, buildApp } from '../server/app.js'
import { parseValues, print } from './command.js'
import type { Command } from './command.js'

export const SiteOptions = Type.Object(
  {
    fixtures: Options.properties.fixtures,
    scenario: TextOption('NAME', 'scenario of the fixtures that a first visit shows'),
    jobDuration: Type.Optional(Options.properties.jobDuration),
  },
  { additionalProperties: false },
)
export type SiteOptions = Static<typeof SiteOptions> & { readonly out: string }

export const site: Command<SiteOptions> = {
  usage: 'OUT [options]',
  summary: 'site writes a static site with the page, the explorer and the API to a folder:',
  schema: SiteOptions,
  operands: ['OUT'],
  parse: ({ OUT: out, ...flags }) => {
    if (out === undefined) throw new OptionsInvalid('give a folder to write to: site public')
    return { ...parseValues(SiteOptions, flags), out: String(out) }
  },
  run: writeSite,
}

/** The file that lists the files of a site, one a line below its first line. */
const LIST = 'materials-mock.site'

const LIST_TITLE = 'Written by materials-mock site, which replaces these files, and no others:'

/** The paths that the files of a site have. A list that names others is not the command's own. */
const SITE_FILE =
  /^(?:ui\/[\w.-]+\.(?:js|css)|(?:page|server|service-worker|worker|[a-z-]+-[A-Z\d]{8})\.js|(?:index|explorer)\.html|data\.json|moyo_wasm_bg\.wasm|\.nojekyll)$/

type SiteFiles = ReadonlyMap<string, string | Uint8Array>

/**
 * Replaces a former site. Other files stay.
 * @throws OptionsInvalid for a folder that is no site and not empty; FixturesInvalid,
 * ScenarioNotFound
 */
async function writeSite({ out, scenario, ...options }: SiteOptions): Promise<boolean> {
  const { data, usernames, view } = await readData(options, scenario)
  try {
    await replaceFiles(out, await makeFiles(data, view, scenario))
  } catch (error) {
    if (error instanceof OptionsInvalid) throw error
    throw new OptionsInvalid(`${out} can't be written: ${asError(error).message}`)
  }
  print(
    [
      `${out} is a site now; serve it by any server of files, such as npx serve ${out}`,
      `Whoever opens it can read its fixtures, also the passwords and tokens of ${usernames.join(', ') || 'no account'}`,
    ].join('\n'),
  )
  return true
}

async function makeFiles(data: string, view: string, scenario?: string): Promise<SiteFiles> {
  const files = new Map<string, string | Uint8Array>()
  const add = async (path: string, source: string): Promise<unknown> =>
    files.set(path, await readFile(packagePath(source)))
  for (const name of await readdir(packagePath('dist/ui')))
    if (!/\.(br|gz|html)$/.test(name)) await add(`ui/${name}`, `dist/ui/${name}`)
  for (const name of await readdir(packagePath('dist/browser')))
    await add(name, `dist/browser/${name}`)
  files.set(MOYO_FILE, await readFile(findMoyo()))
  for (const file of ['index.html', 'explorer.html']) {
    const html = await readFile(packagePath(`dist/ui/${file}`), 'utf8')
    files.set(file, toSitePage(html, view, scenario))
  }
  return files.set('data.json', data).set('.nojekyll', '') // GitHub Pages then serves the files as they are
}

/**
 * With a hash of all and the version.
 * @throws FixturesInvalid, ScenarioNotFound
 */
async function readData(
  { fixtures: directory = SHIPPED_FIXTURES, jobDuration }: Partial<SiteOptions>,
  scenario?: string,
): Promise<{
  readonly data: string
  readonly usernames: readonly string[]
  readonly view: string
}> {
  const content = await loadFixtures(directory)
  const fixtures = {
    ...Object.fromEntries(content.resources),
    accounts: content.accounts,
    ...(content.scenarios && { scenarios: toObject(content.scenarios.items) }),
  } as InlineFixtures
  const app = await buildApp({ fixtures, logLevel: 'silent' })
  try {
    await app.scenarios.check()
    const { view = '' } =
      scenario === undefined ? {} : app.scenarios.apply(scenario, app.sandboxes.main)
    const text = JSON.stringify({ fixtures, scenario, jobDuration })
    const id = createHash('sha256')
      .update(text + readPackageVersion())
      .digest('hex')
      .slice(0, 16)
    const usernames = app.store.accounts.map(({ username }) => username)
    return { data: `${text.slice(0, -1)},"id":"${id}"}`, usernames, view }
  } finally {
    await app.close()
  }
}

/**
 * Checks all before the first change.
 * @throws OptionsInvalid
 */
async function replaceFiles(out: string, files: SiteFiles): Promise<void> {
  makeFolder(out)
  const root = realpathSync(out)
  const former = await readList(out)
  for (const path of [...former, ...files.keys()]) {
    const file = resolve(root, path)
    const folder = dirname(file)
    const isWithin = file.startsWith(root + sep)
    if (!isWithin || (existsSync(folder) && realpathSync(folder) !== folder))
      throw new OptionsInvalid(`${join(out, path)} is behind a link; give a new or an empty folder`)
    if (!former.has(path) && lstatSync(file, { throwIfNoEntry: false }) !== undefined) {
      throw new OptionsInvalid(
        `${out} has ${path}, which ${LIST} does not list; move it away, or give a new or an empty folder`,
      )
    }
  }
  const write = async (path: string, content: string | Uint8Array): Promise<void> => {
    const file = join(root, path)
    await rm(file, { force: true }) // it may be a link
    makeFolder(dirname(file))
    await writeFile(file, content, { flag: 'wx' })
  }
  const writeList = async (paths: Iterable<string>): Promise<void> =>
    write(LIST, [LIST_TITLE, ...paths, ''].join('\n'))
  await writeList(new Set([...former, ...files.keys()])) // also if the rest fails
  for (const path of former) await rm(join(root, path), { force: true })
  for (const [path, content] of files) await write(path, content)
  await writeList(files.keys())
}

/**
 * None for an empty folder; hidden files such as `.git` do not count.
 * @throws OptionsInvalid for any other folder, and a list with a file that no site has
 */
async function readList(out: string): Promise<ReadonlySet<string>> {
  if (existsSync(join(out, LIST))) {
    const [, ...paths] = (await readFile(join(out, LIST), 'utf8')).split(/\r?\n/)
    const former = new Set(paths.filter((path) => path !== ''))
    for (const path of former) {
      if (!SITE_FILE.test(path)) {
        throw new OptionsInvalid(
          `${out} has a list of its files, ${LIST}, with ${quote(path)}, which no site has; give a new or an empty folder`,
        )
      }
    }
    return former
  }
  if ((await readdir(out)).every((name) => name.startsWith('.'))) return new Set()
  throw new OptionsInvalid(
    `${out} has files that are not of a site of materials-mock; give a new or an empty folder`,
  )
}

/** Lets a page of the server start the mock of the site before its own script. */
const toSitePage = (html: string, view: string, scenario = ''): string =>
  html
    .replace(
      '<html ',
      () => `<html data-site="${escapeAttribute(scenario)}" data-view="${escapeAttribute(view)}" `,
    )
    .replace(
      /<script type="module" src="([^"]+)"/,
      '<script type="module" src="page.js" data-page="$1"',
    )

const escapeAttribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
