import { UnsupportedPatternError } from './pattern-errors.js'
import type { PatternReader } from './pattern-reader.js'

/** How a group begins. `change` is the `i-m` of `(?i-m:` and of `(?i-m)`, which has no body. */
export type GroupStart =
  | { readonly kind: 'plain' | 'atomic' }
  | { readonly kind: 'capture'; readonly name: string | undefined }
  | { readonly kind: 'lookaround'; readonly start: Lookaround }
  | { readonly kind: 'flags'; readonly change: string; readonly hasBody: boolean }

type Lookaround = '(?=' | '(?!' | '(?<=' | '(?<!'

const lookarounds: readonly Lookaround[] = ['(?=', '(?!', '(?<=', '(?<!']

/** Parses the start of a group, up to its body; throws for kinds that are not supported. */
export function parseGroupStart(reader: PatternReader): GroupStart {
  const start = lookarounds.find((lookaround) => reader.accept(lookaround))
  if (start !== undefined) return { kind: 'lookaround', start }
  if (reader.accept('(?:')) return { kind: 'plain' }
  if (reader.accept('(?>')) return { kind: 'atomic' }
  const named = reader.match(/\(\?(?:P?<([A-Za-z_]\w*)>|'([A-Za-z_]\w*)')/y)
  if (named !== undefined) return { kind: 'capture', name: named[1] ?? named[2] }
  const flags = reader.match(
    /\(\?((?!\w*xx|[^:)]*-\w*xx)(?:\^[imsx]*|[imsx]*(?:-[imsx]*)?))([:)])/y,
  )
  if (flags !== undefined)
    return { kind: 'flags', change: flags[1] as string, hasBody: flags[2] === ':' }

  const verb = reader.match(/\(\*[^)]{0,20}\)?/y)?.[0]
  if (verb !== undefined)
    throw new UnsupportedPatternError(`has the verb ${verb}, which is not supported`)

  const other = reader.match(/\(\?[^):]{0,8}/y)?.[0]
  if (other !== undefined) throw new UnsupportedPatternError(`has ${other}, which is not supported`)
  reader.accept('(')
  return { kind: 'capture', name: undefined }
}
