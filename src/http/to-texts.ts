import type { Work } from '../work/work.js'

/** Writes the JSON of each value in a step of its own, for values that may be large or many. */
export function* toTexts(values: Iterable<unknown>): Work<Buffer[]> {
  const texts: Buffer[] = []
  for (const value of values) {
    texts.push(Buffer.from(JSON.stringify(value)))
    yield 'writing the response'
  }
  return texts
}
