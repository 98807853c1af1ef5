/** The statuses of a job (the platform's schema `job/base`, https://github.com/Exabyte-io/esse). */
export const JOB_STATUSES = [
  'pre-submission',
  'queued',
  'submitted',
  'active',
  'finished',
  'terminate-queued',
  'terminated',
  'error',
  'deleted',
  'timeout',
] as const
