import t from 'tap'

import { ListingReader } from '../src/routes/listing.js'
import { Collection } from '../src/store/collection.js'

t.test('the text of a part stays, however many pages are asked for without fields', async (t) => {
  const listings = new ListingReader(1000)
  const entry = new Collection('things', [{ _id: 'a', n: 1 }]).save()[0]
  if (entry === undefined) return
  const partOf = (skip: number) => {
    const { toTexts } = listings.compile({ projection: { skip, fields: { n: 1 } } })
    t.strictSame(toTexts([entry]).map(String), ['{"_id":"a","n":1}'])
    return entry.part
  }
  const [, , part] = [0, 1, 2].map(partOf)
  for (let skip = 0; skip < 10_000; skip += 1) listings.compile({ projection: { skip } })
  t.equal(partOf(3), part)
})
