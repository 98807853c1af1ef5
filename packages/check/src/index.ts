// A check of a deployment, and its report
export { checkDeployment } from './check-deployment.js'
export { isHeld, markDifference, toCurl, toReportText } from './report.js'
export type { Report, StatementResult, UsedResult } from './report.js'

// The statements, and those that a program's requests depend on
export { STATEMENTS } from './statements/statements.js'
export { findUsedResource, summarizeUses, toUsedStatements } from './used-statements.js'
export { compareStrings, getAt } from './sample.js'

// Requests to a deployment
export { ApiClient, getRetryDelay, readLogin, toLoginRequest } from './api-client.js'
export type { ApiClientOptions, ApiResponse } from './api-client.js'
export { findLists, listPath } from './list-path.js'
export type { Lists } from './list-path.js'

// Errors
export { DeploymentUnusable } from './errors.js'
