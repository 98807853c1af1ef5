/** A checked condition: an operator that a path's candidates must meet, or a combination. */
export type Term = Leaf | Branch

export interface Leaf {
  readonly path: string
  readonly operator: string
  /** In the form that `operators.ts` works with. */
  readonly operand: unknown
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

/** Whether a pattern stands anywhere in the terms. */
export const usesPattern = (terms: readonly Term[]): boolean =>
  terms.some((term) => {
    if ('combine' in term) return term.branches.some(usesPattern)
    if (term.operator === '$elemMatch') return usesPattern((term.operand as ElementTerms).terms)
    return term.operator === '$regex'
  })
