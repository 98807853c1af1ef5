import type { Contender } from './servers.js'
import type { Running } from './server-process.js'
import { LIMIT } from './work.js'
import type { Read, Work } from './work.js'

/** How many reads of each kind are compared. */
const COMPARED = 10

/**
 * Makes sure that servers do the same work: that each answers with the same items, in the same
 * order, as the first; one that sends constants, with the given texts.
 * @throws Error with the server and what differs
 */
export async function checkSameWork(
  [first, ...others]: readonly [Running, ...Running[]],
  works: readonly Work[],
  texts: readonly string[],
): Promise<void> {
  for (const [index, work] of works.entries()) {
    for (const read of work.reads.slice(0, COMPARED)) {
      const ids = idsIn(first.contender, await textFrom(first, work, read))
      if (!isAsMany(ids.length, work))
        throw new Error(`${work.name} has ${ids.length} items: ${JSON.stringify(read)}`)
      for (const other of others) {
        const text = await textFrom(other, work, read)
        if (text === undefined) continue
        const { name, itemsIn } = other.contender
        const [sent, expected] =
          itemsIn === undefined
            ? [text, texts[index]]
            : [idsIn(other.contender, text).join(), ids.join()]
        if (sent !== expected)
          throw new Error(`${work.name}: ${name} sends ${sent}, not ${expected}`)
      }
    }
  }
}

/** A text of a server's for each kind of work, of middle length, for the bare servers to send. */
export async function textsOf(server: Running, works: readonly Work[]): Promise<string[]> {
  const texts: string[] = []
  for (const work of works) {
    const some: string[] = []
    for (const read of work.reads.slice(0, COMPARED))
      some.push((await textFrom(server, work, read)) ?? '')
    texts.push(some.toSorted((one, other) => one.length - other.length)[some.length >> 1] ?? '')
  }
  return texts
}

/** Whether a list is as long as its kind of work says. */
const isAsMany = (length: number, { hits }: Work): boolean =>
  hits === undefined ? length < LIMIT : length === hits

const idsIn = ({ itemsIn }: Contender, text = ''): string[] =>
  itemsIn?.(JSON.parse(text)).map((item) => (item as { _id: string })._id) ?? []

async function textFrom({ contender, origin }: Running, work: Work, read: Read) {
  const path = contender.pathOf(work, read)
  if (path === undefined) return undefined
  const response = await fetch(origin + path, { headers: { ...contender.headers } })
  if (response.status === 200) return response.text()
  throw new Error(`${contender.name} answers ${path} with ${response.status}, not 200`)
}
