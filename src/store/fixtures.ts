import { readdirSync } from 'node:fs'
import { join } from 'node:path'

import type { TSchema } from '@sinclair/typebox'

import { FixturesInvalid } from '../errors.js'
import { Account } from '../schemas/account.js'
import { quote } from '../schemas/expectation.js'
import type { JsonObject } from '../schemas/json.js'
import { Material } from '../schemas/material.js'
import { checkItems } from './check-items.js'
import { FIXTURE_FILE, itemNumber, readFixtureFile, reason } from './fixture-file.js'
import type { FixtureFile } from './fixture-file.js'
import { TextMemory } from './text-memory.js'

/** The account there is where the fixtures have none. */
export const DEMO_ACCOUNT: Account = { _id: 'demo', username: 'demo', password: 'demo' }

/** What a folder of fixtures holds: the resources in the order of their names. */
export interface Fixtures {
  readonly accounts: readonly Account[]
  readonly resources: ReadonlyMap<string, ResourceFixtures>
}

/** The items of a resource, and where their texts are to be held. */
export interface ResourceFixtures {
  readonly items: readonly JsonObject[]
  readonly texts: TextMemory
}

/** The lists of fixtures by name, as `buildApp` takes them in place of a folder. */
export type FixtureLists = Readonly<Record<string, readonly unknown[]>>

/** Resources whose items have a schema of their own; items of others need only an `_id`. */
const SCHEMAS: Readonly<Record<string, TSchema>> = { materials: Material }

const RESOURCE_NAME = /^[a-z0-9-]+$/

/** Names that other routes have. */
const TAKEN_NAMES: ReadonlySet<string> = new Set(['login', 'logout'])

/**
 * Reads a folder: the accounts, and a list of items for each resource, `<resource>.json` or, an item
 * a line, `<resource>.jsonl`. Other files and folders are left alone.
 * @param only the one name to read, where it is not all of them
 * @throws FixturesInvalid with the file, the item's number or line and `_id`, and the path inside it
 */
export async function readFixtures(folder: string, only?: string): Promise<Fixtures> {
  const files = new Map<string, FixtureFile>()
  for (const [name, file] of nameFiles(folder, listFiles(folder)))
    if (only === undefined || only === name) files.set(name, await readFixtureFile(file))
  return checkFiles(files)
}

/**
 * Checks the lists of a caller, as those of a folder are.
 * @throws FixturesInvalid
 */
export function checkFixtures(lists: FixtureLists): Fixtures {
  const files = Object.entries(lists).map(
    ([name, items]) => [name, listed(`fixtures.${name}`, items)] as const,
  )
  return checkFiles(new Map(files))
}

const listed = (file: string, items: unknown): FixtureFile => ({
  file,
  items,
  placeOf: itemNumber,
  texts: new TextMemory(),
})

function checkFiles(files: ReadonlyMap<string, FixtureFile>): Fixtures {
  const resources = new Map<string, ResourceFixtures>()
  for (const [name, source] of files) {
    if (name === 'accounts') continue
    const { file } = source
    if (!RESOURCE_NAME.test(name))
      throw new FixturesInvalid(
        `${file} has the name ${quote(name)}; a resource's name is of lower-case letters, digits and "-"`,
      )
    if (TAKEN_NAMES.has(name))
      throw new FixturesInvalid(`${file} can't be a resource: /${name} is a route of its own`)
    resources.set(name, { items: checkItems(source, SCHEMAS[name]), texts: source.texts })
  }
  return {
    accounts: checkAccounts(files.get('accounts') ?? listed('accounts', [DEMO_ACCOUNT])),
    resources,
  }
}

function checkAccounts(source: FixtureFile): Account[] {
  const { file } = source
  const accounts = checkItems(source, Account) as unknown as Account[]
  const seen = new Set<string>()
  for (const { _id, username, tokens = [] } of accounts)
    for (const name of [`username "${username}"`, ...tokens.map((token) => `token "${token}"`)]) {
      if (seen.has(name))
        throw new FixturesInvalid(`${file}, _id "${_id}": the ${name} is there twice`)
      seen.add(name)
    }
  return accounts
}

function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    throw new FixturesInvalid(`the folder ${folder} can't be read: ${reason(error)}`)
  }
}

/** The path of each resource's file, by the resource's name, in the order of names. */
function nameFiles(folder: string, files: readonly string[]): ReadonlyMap<string, string> {
  const named = new Map<string, string>()
  for (const file of files.filter((each) => FIXTURE_FILE.test(each)).toSorted()) {
    const name = file.replace(FIXTURE_FILE, '')
    const path = join(folder, file)
    const former = named.get(name)
    if (former !== undefined)
      throw new FixturesInvalid(`${former} and ${path} are both of ${name}; keep one of them`)
    named.set(name, path)
  }
  return named
}
