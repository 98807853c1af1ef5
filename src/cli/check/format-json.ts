import type { Report } from '../../contract/report.js'

/** Formats a report as JSON. */
export const formatJson = ({ url, startedAt, summary, statements }: Report): string =>
  `${JSON.stringify({ url, startedAt, summary, statements }, null, 2)}\n`
