import type { Test } from 'tap'

import type { Lists } from '@materials-mock/api'
import { STATEMENTS, checkDeployment } from '@materials-mock/check'
import type { Report } from '@materials-mock/check'
import type { Fetch } from '@materials-mock/client'
import { connect } from '../../src/cli/remote/session.js'
import { startMock } from '../../src/mock/start-mock.js'
import type { Mock } from '../../src/mock/members.js'
import { BASE } from '../helpers/build.js'
import { ACCOUNT } from './data-sets.js'
import type { DataSet } from './data-sets.js'

/** Starts a mock with a data set. */
export async function startDataSet(
  t: Test,
  { fixtures }: DataSet,
  options: { lists?: Lists; strict?: boolean; jobDuration?: number } = {},
): Promise<Mock> {
  const accounts = { accounts: [{ ...ACCOUNT, tokens: ['ann-token'] }] }
  const mock = await startMock({
    logLevel: 'silent',
    journal: 0,
    ...(fixtures && { fixtures: { ...accounts, ...fixtures } }),
    ...options,
  })
  t.teardown(() => mock.close())
  return mock
}

/** How a mock is checked. */
export interface CheckMockOptions {
  /** What sends the requests (default: the mock in process). */
  readonly fetch?: Fetch
  /** The root (default: that of the mock). */
  readonly root?: string
  /** The id of the one statement to check, or a pattern of ids (default: all). */
  readonly id?: string | RegExp
}

/** Checks a mock as the command does, with writes. */
export async function checkMock(
  mock: Pick<Mock, 'fetch' | 'url'>,
  { resource, fixtures }: DataSet,
  { fetch = mock.fetch, root = mock.url + BASE, id }: CheckMockOptions = {},
): Promise<Report> {
  const { username, password } = fixtures === undefined ? DEMO : ACCOUNT
  const { client, headers, end } = await connect({ url: root, username, password }, resource, {
    fetch,
  })
  return checkDeployment({
    client,
    credentials: headers,
    login: { username, password },
    resource,
    write: true,
    statements: STATEMENTS.filter(
      (statement) =>
        id === undefined || (typeof id === 'string' ? statement.id === id : id.test(statement.id)),
    ),
  }).finally(end)
}

const DEMO = { username: 'demo', password: 'demo' }

/** Returns the group of a statement: what is before the dot. */
export const groupOf = (id: string): string => id.split('.')[0] ?? ''

/** Returns the ids of a report's statements with an outcome. */
export const idsOf = (report: Report, outcome: 'held' | 'failed' | 'skipped'): string[] =>
  report.statements.filter((statement) => statement.outcome === outcome).map(({ id }) => id)

/** The ids of statements on fields that no item of the shipped fixtures has, such as those of sets. */
export const ABSENT =
  /^schema\.([\w-]+\.(inSet\.|basis\.(constraints|labels)\.|outcome)|[\w-]*properties\.(name|metadata)$)/
