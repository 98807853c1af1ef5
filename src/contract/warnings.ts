import type { Deployment } from './deployment.js'
import type { Sample } from './sample/sample.js'

/**
 * Returns what explains many outcomes at once, in sentences.
 * @param left the `_id`s of the items that the check has made and could not delete
 */
export function findWarnings(
  { credentials, statuses, resource }: Deployment,
  { items }: Sample,
  isUnanswered: boolean,
  left: readonly string[],
): string[] {
  const status = findOnlyStatus(statuses)
  const warnings: string[] = []
  if (left.length > 0)
    warnings.push(`These items of ${resource} are left behind; delete them: ${left.join(', ')}`)
  if (isUnanswered)
    warnings.push('The server does not answer any more; the last statements are skipped')
  if (credentials === undefined)
    warnings.push('The login gives no credentials; only statements on the login are checked')
  else if (status !== undefined)
    warnings.push(`Everything is ${status}: no list and no item is answered`)
  else if (items.length === 0)
    warnings.push(`The account sees no items of ${resource}; many statements cannot be checked`)
  return warnings
}

/**
 * Returns the status of almost all answers if none is a success: some requests are so wrong that a
 * server refuses them before it looks at the credentials.
 */
function findOnlyStatus(statuses: ReadonlyMap<number, number>): number | undefined {
  const total = [...statuses.values()].reduce((sum, count) => sum + count, 0)
  const [status, count = 0] = [...statuses].toSorted(([, a], [, b]) => b - a)[0] ?? []
  const isAlone = [...statuses.keys()].every((each) => each >= 300) && count > 0.8 * total
  return isAlone ? status : undefined
}
