import { assertion, PatternRefused } from './part.js'
import type { Part } from './part.js'
import type { Reader } from './reader.js'

/** How a group opens; `flags` is what stands in `(?i-m:`. */
export type Opening =
  | { readonly kind: 'plain' | 'atomic' }
  | { readonly kind: 'capture'; readonly name: string | undefined }
  | { readonly kind: 'look'; readonly open: '(?=' | '(?!' | '(?<=' | '(?<!' }
  | { readonly kind: 'flags'; readonly flags: string; readonly closed: boolean }

const looks = ['(?=', '(?!', '(?<=', '(?<!'] as const

/** Reads the opening of a group, up to where its pattern begins. */
export function readOpening(reader: Reader): Opening {
  const look = looks.find((open) => reader.accept(open))
  if (look !== undefined) return { kind: 'look', open: look }
  if (reader.accept('(?:')) return { kind: 'plain' }
  if (reader.accept('(?>')) return { kind: 'atomic' }
  const named = reader.match(/\(\?(?:P?<([A-Za-z_]\w*)>|'([A-Za-z_]\w*)')/y)
  if (named !== undefined) return { kind: 'capture', name: named[1] ?? named[2] }
  const flags = reader.match(/\(\?(\^?[imsx]*(?:-[imsx]*)?)([:)])/y)
  if (flags !== undefined) {
    return { kind: 'flags', flags: flags[1] as string, closed: flags[2] === ')' }
  }
  const other = /^\((?:\?[^):]{0,8}|\*\w*)/.exec(reader.text.slice(reader.at))?.[0]
  if (other !== undefined) throw new PatternRefused(`has ${other}, which is not supported`)
  reader.accept('(')
  return { kind: 'capture', name: undefined }
}

/**
 * Reads a verb that JavaScript can do: `(*FAIL)`; `(*ACCEPT)` outside groups; and at the start of a
 * pattern those that only forbid going back before it.
 */
export function readVerb(reader: Reader, outsideGroups: boolean): Part | undefined {
  if (reader.match(/\(\*F(?:AIL)?\)/y) !== undefined) return assertion('(?!)')
  if (outsideGroups && reader.accept('(*ACCEPT)')) return assertion('')
  if (reader.at > 0) return undefined
  return reader.match(/\(\*(?:PRUNE|SKIP|THEN)(?::\w*)?\)/y) && assertion('')
}
