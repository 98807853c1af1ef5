import { asError } from '@materials-mock/json'
import type { ApiClient } from './api-client.js'
import { Deployment } from './deployment.js'
import type { DeploymentOptions } from './deployment.js'
import { findLists } from './list-path.js'
import { Lack, Mismatch, NoAnswer, words } from './outcome.js'
import { Probe, getList, takeSample } from './probe.js'
import {
  UNANSWERED,
  describeLeft,
  findWarnings,
  markDifference,
  summarize,
  toCurl,
  toReportText,
  toSetup,
} from './report.js'
import type { Report, Secret, StatementResult } from './report.js'
import type { Sample } from './sample.js'
import type { Statement } from './statement.js'
import { describeUnknownFields } from './statements/schema.js'
import { STATEMENTS } from './statements/statements.js'

export interface DeploymentCheck extends DeploymentOptions {
  readonly statements?: readonly Statement[]
  /** Ends the check. Its items are deleted. */
  readonly signal?: AbortSignal
  readonly onProgress?: (statement: Statement, done: number, total: number) => void
  /** A client for the end of the check, which the signal does not end (default: the client). */
  readonly lastClient?: ApiClient
}

/**
 * One request at a time. A failed statement is checked again with a new sample, because items may
 * have changed. The check's items are always deleted at its end.
 * @throws the reason of the signal, naming items that could not be deleted
 */
export async function checkDeployment(options: DeploymentCheck): Promise<Report> {
  const { client, statements = STATEMENTS, signal, onProgress, lastClient = client } = options
  const startedAt = new Date().toISOString()
  const deployment = new Deployment(options)
  const results: StatementResult[] = []
  let sample: Sample = []
  let notes: string[] = []
  try {
    sample = await takeSample(deployment)
    if (sample.length > 0) {
      deployment.lists = await findLists(deployment.resource, (path) =>
        getList(new Probe(deployment, []), path),
      )
      if (deployment.lists === 'migrated') sample = await takeSample(deployment)
    }
    for (const [index, statement] of statements.entries()) {
      signal?.throwIfAborted()
      onProgress?.(statement, index, statements.length)
      if (client.isUnanswered) {
        results.push(toSkipped(statement, 'an answer', 'none since the statements before'))
        continue
      }
      let result = await tryStatement(statement, deployment, sample)
      if (result.outcome === 'failed') {
        signal?.throwIfAborted()
        deployment.forget()
        sample = await takeSample(deployment)
        result = await tryStatement(statement, deployment, sample)
      }
      signal?.throwIfAborted()
      results.push(result)
    }
    notes = await describeUnknownFields(new Probe(deployment, sample), statements)
  } catch (error) {
    const left = await cleanUp(deployment, lastClient)
    if (left.length > 0) asError(error).message += `; ${describeLeft(deployment.resource, left)}`
    throw error
  }
  const left = await cleanUp(deployment, lastClient)
  const url = client.root
  const warnings = findWarnings(deployment, sample, left)
  const { lists } = deployment
  const summary = summarize(results)
  return {
    url,
    startedAt,
    ...(lists && { lists }),
    ...(results.some(({ request }) => request !== undefined) && {
      setup: toSetup(url, deployment),
    }),
    ...(client.isUnanswered && { problem: UNANSWERED }),
    summary,
    statements: results,
    warnings,
    notes,
  }
}

/** Deletes the items of a check, and ends its sessions. Returns the `_id`s of the items that are left. */
async function cleanUp(deployment: Deployment, client: ApiClient): Promise<string[]> {
  const { credentials, written, lists } = deployment
  const left =
    written === undefined || credentials === undefined
      ? []
      : await written.delete(client, credentials, lists)
  await deployment.endSessions(client)
  return left
}

async function tryStatement(
  statement: Statement,
  deployment: Deployment,
  sample: Sample,
): Promise<StatementResult> {
  const { id, title, level } = statement
  deployment.lastRequest = undefined
  try {
    await statement.check(new Probe(deployment, sample))
    return { id, title, level, outcome: 'held' }
  } catch (error) {
    if (error instanceof Lack) return toSkipped(statement, error.needed, error.found)
    const { request = deployment.lastRequest, ...mismatch } = toMismatch(error)
    const { expected, actual } = markDifference(mismatch.expected, mismatch.actual)
    const secrets = listSecrets(deployment)
    return {
      id,
      title,
      level,
      outcome: 'failed',
      expected: toReportText(expected, secrets),
      actual: toReportText(actual, secrets),
      ...(request && {
        request: toCurl(request.root ?? deployment.client.root, request, secrets),
      }),
    }
  }
}

/** Converts an error to a mismatch. An answer may have a shape that a statement does not expect. */
function toMismatch(error: unknown): Mismatch {
  if (error instanceof Mismatch) return error
  const { message } = asError(error)
  return error instanceof NoAnswer
    ? new Mismatch(words('an answer'), words(`none: ${message}`))
    : new Mismatch(words('an answer that can be checked'), words(`another: ${message}`))
}

const toSkipped = (
  { id, title, level }: Statement,
  expected: string,
  actual: string,
): StatementResult => ({ id, title, level, outcome: 'skipped', expected, actual })

function listSecrets({ credentials, sessions, loginIfGiven }: Deployment): Secret[] {
  const all = credentials === undefined ? sessions : [credentials, ...sessions]
  const { username = '', password = '' } = loginIfGiven ?? {}
  const secrets: Secret[] = [
    ...all.map((each) => ({ name: 'token' as const, text: each['X-Auth-Token'] })),
    ...all.map((each) => ({ name: 'accountId' as const, text: each['X-Account-Id'] })),
    { name: 'password', text: password },
    { name: 'username', text: username },
  ]
  return secrets.filter(({ text }) => text !== '')
}
