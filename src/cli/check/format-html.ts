import { isHeld } from '../../contract/report.js'
import type { Report, StatementResult } from '../../contract/report.js'
import { escapeMarkup } from './escape-markup.js'
import { describeSummary, splitFailures } from './format-text.js'

const STYLE = `
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; color: #222; background: #fff }
h1 { font-size: 1.4rem } h2 { font-size: 1.1rem; margin-top: 2rem }
.held { color: #1a7f37 } .failed { color: #cf222e } .differs { color: #8a5a00 } .skipped { color: #666 }
.warning { background: #fff3cd; border-left: 4px solid #d39e00; padding: .5rem 1rem }
article { border-left: 4px solid #cf222e; margin: 1rem 0; padding: 0 1rem } article.differs { border-color: #d39e00; color: inherit }
dt { color: #666; font-size: .85rem } dd { margin: 0 } code, pre { font: 13px/1.4 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere }
table { border-collapse: collapse; width: 100% } td { border-top: 1px solid #ddd; padding: .25rem .5rem .25rem 0; vertical-align: top }
@media (prefers-color-scheme: dark) { body { color: #ddd; background: #111 } td { border-color: #333 } .warning { background: #3a2f00 } .held { color: #5ac26f } .failed { color: #ff7b72 } .differs { color: #e3b341 } .skipped, dt { color: #999 } }
`

/** Formats a report as a page of HTML that needs no other file. What fails comes first. */
export function formatHtml(report: Report): string {
  const { url, startedAt, statements, warnings } = report
  const { failed, differing } = splitFailures(report)
  const others = statements.filter(({ outcome }) => outcome !== 'failed')
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>Check of ${escapeMarkup(url)}</title><style>${STYLE}</style></head><body>`,
    `<h1>Check of ${escapeMarkup(url)}</h1>`,
    ...warnings.map((warning) => `<p class="warning">${escapeMarkup(warning)}</p>`),
    `<p class="${isHeld(report) ? 'held' : 'failed'}">${escapeMarkup(describeSummary(report))}</p>`,
    `<p>Started at <time datetime="${startedAt}">${startedAt}</time></p>`,
    ...toSection('Documented statements that do not hold', failed.map(toArticle)),
    ...toSection('Assumed statements that differ: the mock should learn', differing.map(toArticle)),
    '<h2>All other statements</h2><table>',
    ...others.map(toRow),
    '</table></body></html>',
    '',
  ].join('\n')
}

const toSection = (title: string, articles: readonly string[]): string[] =>
  articles.length === 0 ? [] : [`<h2>${title}</h2>`, ...articles]

function toArticle({
  id,
  title,
  level,
  expected = '',
  actual = '',
  request,
}: StatementResult): string {
  const [kind, mark] = level === 'assumed' ? ['differs', '≠'] : ['failed', '✗']
  const command =
    request === undefined ? '' : `<dt>Request</dt><dd><pre>${escapeMarkup(request)}</pre></dd>`
  return `<article class="${kind}"><h3><span class="${kind}">${mark}</span> ${escapeMarkup(title)}</h3><p><code>${id}</code></p><dl><dt>Expected</dt><dd><code>${escapeMarkup(expected)}</code></dd><dt>Actual</dt><dd><code>${escapeMarkup(actual)}</code></dd>${command}</dl></article>`
}

function toRow({ id, title, level, outcome, expected, actual }: StatementResult): string {
  const lack =
    outcome === 'skipped'
      ? `<br>needs ${escapeMarkup(expected ?? '')}, has ${escapeMarkup(actual ?? '')}`
      : ''
  const mark = outcome === 'held' ? '✓ holds' : '- skipped'
  return `<tr><td class="${outcome}">${mark}</td><td><code>${id}</code></td><td>${escapeMarkup(title)}<span class="skipped">${lack}</span></td><td>${level}</td></tr>`
}
