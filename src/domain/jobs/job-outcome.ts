import { isJsonObject } from '../../json/json.js'
import type { Json, JsonObject } from '../../json/json.js'
import type { JobOutcome } from '../items/job.js'

/** Returns how a job ends: its own `outcome`, or else that of its workflow, or else success. */
export function findOutcome({ outcome = null, workflow = null }: JsonObject): JobOutcome {
  if (isJsonObject(outcome)) return outcome as unknown as JobOutcome
  const byWorkflow: Json = isJsonObject(workflow) ? (workflow.outcome ?? null) : null
  return isJsonObject(byWorkflow) ? (byWorkflow as unknown as JobOutcome) : {}
}
