import { readdirSync, readFileSync } from 'node:fs'

import type { JsonObject } from '../../src/json/json.js'

/** One question to the query language, with MongoDB's answer to it. */
export interface CorpusCase {
  readonly query?: JsonObject
  readonly projection?: JsonObject
  /** The `_id`s of the answer, in its order. */
  readonly ids?: readonly string[]
  /** The items of the answer, to the order of their keys. */
  readonly answer?: readonly JsonObject[]
  /** A part of the message of the refusal. */
  readonly refused?: string
  /** Whether the refusal comes with an item only, not with the question alone. */
  readonly whenMet?: boolean
}

/** Items, and the questions that are asked of them. */
export interface CorpusGroup {
  readonly name: string
  /** The page of MongoDB's manual that says so. */
  readonly page: string
  readonly items: readonly JsonObject[]
  readonly cases: readonly CorpusCase[]
}

/** All groups of `corpus/*.json`. The same files are meant for the engine and for the server. */
export function readCorpus(): readonly CorpusGroup[] {
  const folder = new URL('corpus/', import.meta.url)
  return readdirSync(folder).flatMap((file) => {
    const { page, groups } = JSON.parse(readFileSync(new URL(file, folder), 'utf8'))
    return groups.map((group: CorpusGroup, index: number) => ({
      ...group,
      name: `${file} ${index + 1}`,
      page: group.page ?? page,
    }))
  })
}
