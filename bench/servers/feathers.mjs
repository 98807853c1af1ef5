/** Feathers with its memory service over Koa, as in its guide. Arguments: port, file of items. */
import { feathers } from '@feathersjs/feathers'
import { bodyParser, errorHandler, koa, rest } from '@feathersjs/koa'
import { memory } from '@feathersjs/memory'

import { readItems } from './read-items.mjs'

const [port, file = ''] = process.argv.slice(2)
const items = await readItems(file)

const app = koa(feathers())
app.use(errorHandler())
app.use(bodyParser())
app.configure(rest())
app.use(
  'materials',
  memory({
    id: '_id',
    paginate: { default: 50, max: 500 },
    store: Object.fromEntries(items.map((item) => [item._id, item])),
  }),
)
app.service('materials').hooks({ before: { find: [parseRangeBounds] } })
await app.listen(Number(port), '127.0.0.1')

/**
 * Converts the bounds of ranges to numbers. In a URL they are strings, which match no number.
 * @param {import('@feathersjs/feathers').HookContext} context
 */
async function parseRangeBounds({ params }) {
  for (const condition of Object.values(params.query)) {
    if (condition !== null && typeof condition === 'object') {
      for (const operator of ['$gte', '$lt'])
        if (operator in condition) condition[operator] = Number(condition[operator])
    }
  }
}
