import type { Report } from '../../contract/report.js'

/** Formats a report as JSON. */
export const formatJson = (report: Report): string => `${JSON.stringify(report, null, 2)}\n`
