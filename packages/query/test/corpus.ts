import { readdirSync, readFileSync } from 'node:fs'

import type { JsonObject } from '@materials-mock/json'

/** A query, and the result or error that MongoDB's manual describes for it. */
export interface CorpusCase {
  readonly query?: JsonObject
  readonly projection?: JsonObject
  /** The `_id`s of the resulting items, in order. */
  readonly ids?: readonly string[]
  /** The resulting items. The order of their keys counts. */
  readonly result?: readonly JsonObject[]
  /** A part of the error's message. */
  readonly error?: string
  /** Whether the error depends on the items: it is not thrown for an empty collection. */
  readonly dependsOnItems?: boolean
}

/** Items, and the cases that query them. */
export interface CorpusGroup {
  readonly name: string
  /** The page of MongoDB's manual that describes the results. */
  readonly page: string
  readonly items: readonly JsonObject[]
  readonly cases: readonly CorpusCase[]
}

/** Reads all groups of `corpus/*.json`. */
export function readCorpus(): readonly CorpusGroup[] {
  const directory = new URL('corpus/', import.meta.url)
  return readdirSync(directory).flatMap((file) => {
    const { page, groups } = JSON.parse(readFileSync(new URL(file, directory), 'utf8'))
    return groups.map((group: CorpusGroup, index: number) => ({
      ...group,
      name: `${file} ${index + 1}`,
      page: group.page ?? page,
    }))
  })
}
