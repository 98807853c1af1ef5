import { markFallen } from '../figures/released.js'
import type { Released } from '../figures/released.js'
import { formatNumber, formatTable } from '../figures/table.js'
import { PATTERN, PATTERN_TARGET } from '../workloads/workload.js'
import type { SizeResult } from './bench-size.js'
import type { Memory } from './memory.js'
import type { Starts } from './starts.js'

/** The servers in the order of the columns. */
const SERVERS = ['bare node', 'bare fastify', 'by hand', 'loop', 'json-server', 'Feathers', 'ours']

/** Formats the measurements with one number of items as tables in Markdown. */
export function formatSizeReport(
  { data, costs, writes, servers }: SizeResult,
  released: Released,
): string {
  const workloads = [...costs]
  const cpuRows = workloads.map(([{ name, target, mustBeAhead }, costsByServer]) => {
    const cells = SERVERS.map((server) => formatNumber(costsByServer.get(server)?.cpu))
    const fastify = costsByServer.get('bare fastify')?.cpu ?? Number.NaN
    const ours = costsByServer.get('ours')?.cpu ?? Number.NaN
    const byHand = costsByServer.get('by hand')?.cpu ?? Number.NaN
    const loop = costsByServer.get('loop')?.cpu
    if (name === PATTERN && loop !== undefined && data.count >= 100_000)
      return [name, ...cells, ...formatMaximum(ours / loop, PATTERN_TARGET), '', '', '']
    const ahead = formatMinimum(byHand / ours, mustBeAhead ? 1 : undefined)
    return [
      name,
      ...cells,
      ...formatMinimum(fastify / ours, target),
      ahead[0] ?? '',
      ahead[2] ?? '',
      markFallen(fastify / ours, name, data.count, released),
    ]
  })
  const rateRows = workloads.map(([{ name }, costsByServer]) => [
    name,
    ...SERVERS.map((server) => {
      const cost = costsByServer.get(server)
      return cost === undefined ? '–' : `${formatNumber(cost.rate)} / ${formatNumber(cost.p99)}`
    }),
  ])
  const writeRows = writes.map(({ name, cpu, p50, p99 }) => [
    name,
    ...[cpu, p50 * 1000, p99 * 1000].map(formatNumber),
    ...(data.count === 100_000 ? ['< 1,000', p50 < 1 ? 'ok' : 'short'] : ['–', '']),
  ])
  const serverRows = servers.map(({ name, startTime, memory }) => [
    name,
    formatNumber(startTime),
    formatMegabytes(memory.rss),
  ])
  const count = data.count.toLocaleString('en-US')
  return [
    `## ${count} items\n`,
    'CPU time of the server per request in µs, bare Fastify ÷ ours (ours ÷ loop for the regex), and by hand ÷ ours:\n',
    formatTable(
      [
        'work',
        ...SERVERS,
        'ratio',
        'target',
        '',
        'by hand ÷ ours',
        '',
        `a fifth below ${released.version}`,
      ],
      cpuRows,
    ),
    '\nRequests per second / 99th percentile of the latency in ms, with 10 connections:\n',
    formatTable(['work', ...SERVERS], rateRows),
    '\nWrites of ours, one at a time, in µs; the target is for the median of the latency:\n',
    formatTable(['write', 'CPU time', 'median', '99th percentile', 'target', ''], writeRows),
    '\nFrom the start of the process to the first 200, and resident memory after the work:\n',
    formatTable(['server', 'start (ms)', 'memory (MB)'], serverRows),
    '',
  ].join('\n')
}

/** The longest time of a start, in times of json-server's. Node 20 keeps no compiled code. */
export const MAX_START = process.version.startsWith('v20.') ? 1.75 : 1.5

/** Formats the starts with the shipped fixtures as a table in Markdown. */
export const formatColdStartReport = ({ ours, other }: Starts): string =>
  [
    '## Cold start\n',
    formatTable(
      ['start with the shipped fixtures', 'ours', 'json-server', 'ratio', 'target', ''],
      [
        [
          'from the process to the first 200, ms',
          formatNumber(ours),
          formatNumber(other),
          ...formatMaximum(ours / other, MAX_START),
        ],
      ],
    ),
    '',
  ].join('\n')

/** Formats a start and the memory, compared with a process that only parses the items. */
export function formatLimitsReport(
  count: number,
  starts: Starts,
  { ours, needed }: Memory,
): string {
  const [start, memory] = count >= 100_000 ? [1.5, 1.6] : []
  return [
    formatTable(
      [
        `limits with ${count.toLocaleString('en-US')} items`,
        'ours',
        'needed',
        'ratio',
        'target',
        '',
      ],
      [
        [
          'start, ms (needed: read the file, JSON.parse)',
          formatNumber(starts.ours),
          formatNumber(starts.other),
          ...formatMaximum(starts.ours / starts.other, start),
        ],
        [
          'resident memory, MB (needed: the items and their texts)',
          formatMegabytes(ours.rss),
          formatMegabytes(needed.rss),
          ...formatMaximum(ours.rss / needed.rss, memory),
        ],
        [
          'memory in use, MB (the same)',
          formatMegabytes(computeHeap(ours)),
          formatMegabytes(computeHeap(needed)),
          ...formatMaximum(computeHeap(ours) / computeHeap(needed), memory),
        ],
      ],
    ),
    '',
  ].join('\n')
}

const formatMegabytes = (bytes: number): string => formatNumber(bytes / 2 ** 20)

const computeHeap = ({ heapUsed, external }: Memory['ours']): number => heapUsed + external

/** Formats a ratio with its least target, and whether it meets the target. */
const formatMinimum = (ratio: number, target: number | undefined): string[] =>
  target === undefined
    ? [formatNumber(ratio), '–', '']
    : [formatNumber(ratio), `≥ ${target}`, ratio >= target ? 'ok' : 'short']

/** Formats a ratio with its greatest target, and whether it meets the target. */
const formatMaximum = (ratio: number, target: number | undefined): string[] =>
  target === undefined
    ? [formatNumber(ratio), '–', '']
    : [formatNumber(ratio), `≤ ${target}`, ratio <= target ? 'ok' : 'short']
