import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { Value } from '@sinclair/typebox/value'
import type { TSchema } from '@sinclair/typebox'

import { FixturesInvalid } from '../errors.js'
import { Account } from '../schemas/account.js'
import { expectation, quote } from '../schemas/expectation.js'
import { isJsonObject } from '../schemas/json.js'
import type { JsonObject } from '../schemas/json.js'
import { Material } from '../schemas/material.js'

/** The account there is where the fixtures have no `accounts.json`. */
export const DEMO_ACCOUNT: Account = { _id: 'demo', username: 'demo', password: 'demo' }

/** What a folder of fixtures holds: the resources in the order of their names. */
export interface Fixtures {
  readonly accounts: readonly Account[]
  readonly resources: ReadonlyMap<string, readonly JsonObject[]>
}

/** The lists of fixtures by name, as `buildApp` takes them in place of a folder. */
export type FixtureLists = Readonly<Record<string, readonly unknown[]>>

/** Resources whose items have a schema of their own; items of others need only an `_id`. */
const SCHEMAS: Readonly<Record<string, TSchema>> = { materials: Material }

const RESOURCE_NAME = /^[a-z0-9-]+$/

/** Names that other routes have. */
const TAKEN_NAMES: ReadonlySet<string> = new Set(['login', 'logout'])

/**
 * Reads a folder: `accounts.json` and one `<resource>.json`, a list of items, for each resource.
 * Other files and folders are left alone.
 * @throws FixturesInvalid with the file, the item's number and `_id`, and the path inside it
 */
export async function readFixtures(folder: string): Promise<Fixtures> {
  const lists: Record<string, unknown> = {}
  for (const file of (await listFiles(folder)).filter((name) => name.endsWith('.json')).toSorted())
    lists[file.slice(0, -'.json'.length)] = await readJson(join(folder, file))
  return checkFixtures(lists, (name) => join(folder, `${name}.json`))
}

/**
 * Checks lists of items, whether they come from a folder or from a caller.
 * @param source what a message calls the list of a resource
 * @throws FixturesInvalid
 */
export function checkFixtures(
  lists: Readonly<Record<string, unknown>>,
  source: (name: string) => string = (name) => `fixtures.${name}`,
): Fixtures {
  const { accounts = [DEMO_ACCOUNT], ...rest } = lists
  const resources = Object.entries(rest).map(([name, items]): [string, JsonObject[]] => {
    const file = source(name)
    if (!RESOURCE_NAME.test(name))
      throw new FixturesInvalid(
        `${file} has the name ${quote(name)}; a resource's name is of lower-case letters, digits and "-"`,
      )
    if (TAKEN_NAMES.has(name))
      throw new FixturesInvalid(`${file} can't be a resource: /${name} is a route of its own`)
    return [name, checkItems(file, items, SCHEMAS[name])]
  })
  return {
    accounts: checkAccounts(source('accounts'), accounts),
    resources: new Map(resources),
  }
}

function checkAccounts(file: string, items: unknown): Account[] {
  const accounts = checkItems(file, items, Account) as unknown as Account[]
  const seen = new Set<string>()
  for (const { _id, username, tokens = [] } of accounts)
    for (const name of [`username "${username}"`, ...tokens.map((token) => `token "${token}"`)]) {
      if (seen.has(name))
        throw new FixturesInvalid(`${file}, _id "${_id}": the ${name} is there twice`)
      seen.add(name)
    }
  return accounts
}

function checkItems(file: string, items: unknown, schema: TSchema | undefined): JsonObject[] {
  if (!Array.isArray(items))
    throw new FixturesInvalid(`${file} must be a list of items, not ${quote(items)}`)
  const numbers = new Map<string, number>()
  items.forEach((item: unknown, index) => {
    const number = index + 1
    if (!isJsonObject(item))
      throw new FixturesInvalid(`${file}, item ${number}: must be an object, not ${quote(item)}`)
    const { _id } = item
    if (typeof _id !== 'string' || _id === '')
      throw new FixturesInvalid(
        `${file}, item ${number}: _id must be a string that is not empty, not ${quote(_id)}`,
      )
    const former = numbers.get(_id)
    if (former !== undefined)
      throw new FixturesInvalid(
        `${file}, item ${number}: _id "${_id}" is that of item ${former} too`,
      )
    numbers.set(_id, number)
    if (schema !== undefined) checkSchema(`${file}, item ${number} (_id "${_id}")`, item, schema)
  })
  return items
}

function checkSchema(place: string, item: JsonObject, schema: TSchema): void {
  const error = Value.Errors(schema, item).First()
  if (error === undefined) return
  const path = error.path.slice(1).replaceAll('/', '.')
  throw new FixturesInvalid(
    `${place}: ${path} must be ${expectation(error.schema)}, not ${quote(error.value)}`,
  )
}

async function listFiles(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    throw new FixturesInvalid(`the folder ${folder} can't be read: ${reason(error)}`)
  }
}

async function readJson(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new FixturesInvalid(`${file} can't be read: ${reason(error)}`)
  })
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    const { locateJsonError } = await import('../schemas/json-error.js')
    throw new FixturesInvalid(`${file} is not JSON: ${locateJsonError(text)}`)
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  ENOTDIR: 'it is not a folder',
  EACCES: 'access is denied',
}

function reason(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException
  return REASONS[code] ?? message
}
