import type { Statement } from '../statement.js'
import { AUTH } from './auth.js'
import { ENVELOPE } from './envelope.js'
import { FIELDS } from './fields.js'
import { PAGES } from './pages.js'
import { PATHS } from './paths.js'
import { OPERATOR_STATEMENTS } from './query-operators.js'
import { QUERY } from './query.js'
import { PROJECTION_REFUSALS, QUERY_REFUSALS } from './refusals.js'
import { SCHEMA } from './schema.js'
import { LOGIN, LOGOUT } from './session.js'
import { SORT } from './sort.js'
import { WRITE } from './write.js'

/** All statements of the contract, in the order in which a check takes them. */
export const STATEMENTS: readonly Statement[] = [
  ...LOGIN,
  ...AUTH,
  ...ENVELOPE,
  ...PATHS,
  ...QUERY,
  ...OPERATOR_STATEMENTS,
  ...QUERY_REFUSALS,
  ...SORT,
  ...PAGES,
  ...FIELDS,
  ...PROJECTION_REFUSALS,
  ...SCHEMA,
  ...WRITE,
  ...LOGOUT,
]
