import { readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import t from 'tap'

import type { Account } from '../src/schemas/account.js'
import type { JsonObject } from '../src/schemas/json.js'
import { build, logIn } from './build.js'
import { conformance } from './conformance.js'

const FIXTURES = fileURLToPath(new URL('../fixtures/', import.meta.url))

const readList = <T>(name: string): T[] =>
  JSON.parse(readFileSync(`${FIXTURES}${name}.json`, 'utf8'))

const accounts = readList<Account>('accounts')
const resources = readdirSync(FIXTURES)
  .map((file) => file.replace('.json', ''))
  .filter((name) => name !== 'accounts')

t.ok(resources.includes('materials') && resources.length > 1, 'there are resources to try')

for (const { _id, username, password } of accounts)
  t.test(`every shipped resource, as ${username}`, async (t) => {
    const app = await build(t)
    const headers = await logIn(app, username, password)
    for (const resource of resources) {
      const items = readList<JsonObject>(resource)
      const visible = items.filter((item) => {
        const owner = (item.owner as JsonObject | undefined)?._id
        return owner === _id || !accounts.some((account) => account._id === owner)
      })
      const hidden = items.filter((item) => !visible.includes(item)).map((item) => String(item._id))
      t.ok(visible.length > 0, `${username} sees ${resource}`)
      t.ok(hidden.length > 0, `and not all of it`)
      await conformance(t, app, resource, headers, visible, hidden)
    }
  })
