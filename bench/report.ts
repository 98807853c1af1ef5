import type { SizeResult } from './bench-size.js'
import type { Memory } from './memory.js'
import type { Starts } from './starts.js'
import { figure, table } from './table.js'
import { PATTERN, PATTERN_TARGET } from './work.js'

/** The servers in the order of the columns. */
const SERVERS = ['bare node', 'bare fastify', 'loop', 'json-server', 'Feathers', 'ours']

/** What all kinds of work cost with fixtures of one size, as tables in Markdown. */
export function sizeReport({ data, costs, writes, servers }: SizeResult): string {
  const works = [...costs]
  const cpu = works.map(([{ name, target }, byServer]) => {
    const cells = SERVERS.map((server) => figure(byServer.get(server)?.cpu))
    const bare = byServer.get('bare fastify')?.cpu ?? Number.NaN
    const [own, byHand] = [byServer.get('ours')?.cpu ?? Number.NaN, byServer.get('loop')?.cpu]
    if (name === PATTERN && byHand !== undefined && data.count >= 100_000)
      return [name, ...cells, ...atMost(own / byHand, PATTERN_TARGET)]
    return [name, ...cells, ...atLeast(bare / own, target)]
  })
  const pace = works.map(([{ name }, byServer]) => [
    name,
    ...SERVERS.map((server) => {
      const cost = byServer.get(server)
      return cost === undefined ? '–' : `${figure(cost.rate)} / ${figure(cost.p99)}`
    }),
  ])
  const written = writes.map(({ name, cpu: time, p50, p99 }) => [
    name,
    ...[time, p50 * 1000, p99 * 1000].map(figure),
    ...(data.count === 100_000 ? ['< 1,000', p50 < 1 ? 'ok' : 'short'] : ['–', '']),
  ])
  const processes = servers.map(({ name, startTime, memory }) => [
    name,
    figure(startTime),
    megabytes(memory.rss),
  ])
  const count = data.count.toLocaleString('en-US')
  return [
    `## ${count} items\n`,
    'CPU time of the server per request in µs, and bare Fastify ÷ ours (ours ÷ loop for the regex):\n',
    table(['work', ...SERVERS, 'ratio', 'target', ''], cpu),
    '\nRequests per second / 99th percentile of the latency in ms, with 10 connections:\n',
    table(['work', ...SERVERS], pace),
    '\nWrites of ours, one at a time, in µs; the target is for the median of the latency:\n',
    table(['write', 'CPU time', 'median', '99th percentile', 'target', ''], written),
    '\nFrom the start of the process to the first 200, and resident memory after the work:\n',
    table(['server', 'start (ms)', 'memory (MB)'], processes),
    '',
  ].join('\n')
}

/** How fast ours is there with the shipped fixtures. */
export const coldStartReport = ({ ours, other }: Starts): string =>
  [
    '## Cold start\n',
    table(
      ['start with the shipped fixtures', 'ours', 'json-server', 'ratio', 'target', ''],
      [
        [
          'from the process to the first 200, ms',
          figure(ours),
          figure(other),
          ...atMost(ours / other, 1),
        ],
      ],
    ),
    '',
  ].join('\n')

/** What a start and the memory cost beyond what nobody can do without. */
export function limitsReport(count: number, starts: Starts, { ours, needed }: Memory): string {
  const [start, memory] = count >= 100_000 ? [1.5, 1.6] : []
  return [
    table(
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
          figure(starts.ours),
          figure(starts.other),
          ...atMost(starts.ours / starts.other, start),
        ],
        [
          'resident memory, MB (needed: the items and their texts)',
          megabytes(ours.rss),
          megabytes(needed.rss),
          ...atMost(ours.rss / needed.rss, memory),
        ],
        [
          'memory in use, MB (the same)',
          megabytes(heap(ours)),
          megabytes(heap(needed)),
          ...atMost(heap(ours) / heap(needed), memory),
        ],
      ],
    ),
    '',
  ].join('\n')
}

const megabytes = (bytes: number): string => figure(bytes / 2 ** 20)

const heap = ({ heapUsed, external }: Memory['ours']): number => heapUsed + external

const atLeast = (ratio: number, target: number | undefined): string[] =>
  target === undefined
    ? [figure(ratio), '–', '']
    : [figure(ratio), `≥ ${target}`, ratio >= target ? 'ok' : 'short']

const atMost = (ratio: number, target: number | undefined): string[] =>
  target === undefined
    ? [figure(ratio), '–', '']
    : [figure(ratio), `≤ ${target}`, ratio <= target ? 'ok' : 'short']
