import { markFallen } from '../figures/released.js'
import type { Released } from '../figures/released.js'
import { formatNumber, formatTable } from '../figures/table.js'
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
  const cpuRows = workloads.map(([{ name, target }, costsByServer]) => {
    const cells = SERVERS.map((server) => formatNumber(costsByServer.get(server)?.cpu))
    const fastify = costsByServer.get('bare fastify')?.cpu ?? Number.NaN
    const ours = costsByServer.get('ours')?.cpu ?? Number.NaN
    const byHand = costsByServer.get('by hand')?.cpu ?? Number.NaN
    return [
      name,
      ...cells,
      ...formatMinimum(byHand / ours, target),
      formatNumber(fastify / ours),
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
  ])
  const serverRows = servers.map(({ name, startTime, memory }) => [
    name,
    formatNumber(startTime),
    formatNumber(toMegabytes(memory.rss)),
  ])
  const count = data.count.toLocaleString('en-US')
  return [
    `## ${count} items\n`,
    'CPU time of the server per request in µs, by hand ÷ ours, and bare Fastify ÷ ours:\n',
    formatTable(
      [
        'work',
        ...SERVERS,
        'by hand ÷ ours',
        'target',
        '',
        'bare ÷ ours',
        `a fifth below ${released.version}`,
      ],
      cpuRows,
    ),
    '\nRequests per second / 99th percentile of the latency in ms, with 10 connections:\n',
    formatTable(['work', ...SERVERS], rateRows),
    '\nWrites of ours, one at a time, in µs:\n',
    formatTable(['write', 'CPU time', 'median', '99th percentile'], writeRows),
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
  const limits: [name: string, ours: number, needed: number][] = [
    ['start, ms (needed: read the file, JSON.parse)', starts.ours, starts.other],
    [
      'resident memory, MB (needed: the items and their texts)',
      toMegabytes(ours.rss),
      toMegabytes(needed.rss),
    ],
    [
      'memory in use, MB (the same)',
      toMegabytes(computeHeap(ours)),
      toMegabytes(computeHeap(needed)),
    ],
  ]
  return [
    formatTable(
      [`beside a bare process, ${count.toLocaleString('en-US')} items`, 'ours', 'needed', 'ratio'],
      limits.map(([name, ...sizes]) => [
        name,
        ...[...sizes, sizes[0] / sizes[1]].map((value) => formatNumber(value)),
      ]),
    ),
    '',
  ].join('\n')
}

const toMegabytes = (bytes: number): number => bytes / 2 ** 20

const computeHeap = ({ heapUsed, external }: Memory['ours']): number => heapUsed + external

/** Formats a ratio with its least target, and whether it meets the target. */
const formatMinimum = (ratio: number, target: number): string[] => [
  formatNumber(ratio),
  `≥ ${target}`,
  ratio >= target ? 'ok' : 'short',
]

/** Formats a ratio with its greatest target, and whether it meets the target. */
const formatMaximum = (ratio: number, target: number): string[] => [
  formatNumber(ratio),
  `≤ ${target}`,
  ratio <= target ? 'ok' : 'short',
]
