import type { JsonObject } from '@materials-mock/json'
import { deriveIdentifier } from '@materials-mock/structures'

export interface UnitDraft {
  readonly name: string
  readonly fields: JsonObject
  readonly results: readonly string[]
}

/** Derives the `flowchartId` of a unit from its name, and the seed of its workflow. */
export const deriveFlowchartId = (seed: string, name: string): string =>
  deriveIdentifier(`${seed}: unit ${name}`)

/** Creates the units of a subworkflow. Each unit starts the next. */
export const createUnits = (drafts: readonly UnitDraft[], seed: string): JsonObject[] =>
  drafts.map(({ name, fields, results }, index) => {
    const next = drafts[index + 1]
    return {
      name,
      flowchartId: deriveFlowchartId(seed, name),
      ...(next && { next: deriveFlowchartId(seed, next.name) }),
      head: index === 0,
      status: 'idle',
      results: results.map((each) => ({ name: each })),
      monitors: [],
      preProcessors: [],
      postProcessors: [],
      ...fields,
    }
  })

/** @param isHead whether it is the first unit */
export const createSubworkflowUnit = (
  { _id = null, name = null }: JsonObject,
  flowchartId: string,
  isHead = true,
): JsonObject => ({ _id, type: 'subworkflow', name, flowchartId, head: isHead, status: 'idle' })
