import { createArrayWork } from './costly-arrays.js'
import { createBodyWork } from './costly-bodies.js'
import { createControlWork } from './costly-controls.js'
import { createLineWork } from './costly-lines.js'
import { createQueryWork } from './costly-queries.js'
import { createWritingWork } from './costly-writing.js'
import type { CostlyWork, Target } from './costly-work.js'

/** Creates all kinds of costly work. Those with flags of their own come last. */
export const createCostlyWork = (target: Target): readonly CostlyWork[] => [
  ...createQueryWork(target),
  ...createBodyWork(target),
  ...createArrayWork(target),
  ...createLineWork(),
  ...createWritingWork(target),
  ...createControlWork(target),
]
