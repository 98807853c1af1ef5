/** A checked condition: an operator that a path's candidates must meet, or a combination. */
export type Term = Leaf | Branch

export interface Leaf {
  readonly path: string
  readonly operator: string
  /** In the form that `operators.ts` works with. */
  readonly operand: unknown
  /** Whether it can take long on one candidate, as some patterns do. */
  readonly isCostly?: boolean
}

export interface Branch {
  readonly combine: '$and' | '$or' | '$nor'
  readonly branches: readonly (readonly Term[])[]
}

/** The operand of a checked `$elemMatch`: the elements are judged as objects or as bare values. */
export interface ElementTerms {
  readonly elements: 'objects' | 'values'
  readonly terms: readonly Term[]
}

/** Whether there is a pattern in the terms that can take long on one text. */
export const hasCostlyPattern = (terms: readonly Term[]): boolean =>
  terms.some((term) => {
    if ('combine' in term) return term.branches.some(hasCostlyPattern)
    if (term.operator !== '$elemMatch') return term.isCostly === true
    return hasCostlyPattern((term.operand as ElementTerms).terms)
  })
