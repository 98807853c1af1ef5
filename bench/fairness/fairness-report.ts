import { formatNumber, formatTable } from '../figures/table.js'
import { formatTally } from '../figures/tally.js'
import type { Tally } from '../figures/tally.js'
import { getMaxWait } from './waits.js'
import type { Waits } from './waits.js'

/** The measurements with one kind of costly work. */
export interface FairnessRow {
  readonly name: string
  /** The waits of the other client before the work, when the server was idle. */
  readonly idle: Waits
  /** Its waits beside the work. */
  readonly busy: Waits
  /** The longest turn of the event loop beside the work, in ms of CPU of the main thread, if it is known. */
  readonly longestTurn: number | undefined
  /** The statuses that the work got. */
  readonly responses: Tally
  /** What the other client got in place of its items. */
  readonly failures: Tally
  /** How the server ended; undefined if it did not. */
  readonly exit: string | undefined
}

/** Formats the waits of another client beside each kind of costly work as a table in Markdown. */
export function formatFairnessReport(itemCount: number, rows: readonly FairnessRow[]): string {
  const maxWait = getMaxWait(itemCount)
  return [
    `## The waits of another client, ${itemCount.toLocaleString('en-US')} items\n`,
    'In ms, of `GET /materials/{id}`, beside twenty clients with costly work:\n',
    formatTable(
      [
        'costly work',
        'median',
        'p99',
        'longest',
        'CPU of a turn',
        'idle: median / p99 / longest',
        'target',
        '',
        'responses to the work',
      ],
      rows.map(({ name, busy, longestTurn, idle, responses, failures, exit }) => [
        name,
        ...[busy.median, busy.p99, busy.longest, longestTurn].map(formatNumber),
        [idle.median, idle.p99, idle.longest].map(formatNumber).join(' / '),
        `≤ ${maxWait.toLocaleString('en-US')}`,
        isFair({ busy, failures, exit }, maxWait) ? 'ok' : 'short',
        [
          formatTally(responses),
          ...(Object.keys(failures).length > 0 ? [`other client: ${formatTally(failures)}`] : []),
          ...(exit === undefined ? [] : [exit.split('\n')[0]]),
        ].join('; '),
      ]),
    ),
    '',
  ].join('\n')
}

/** Whether the other client always got its item within the longest wait that is allowed, in ms. */
export const isFair = (
  { busy, failures, exit }: Pick<FairnessRow, 'busy' | 'failures' | 'exit'>,
  maxWait: number,
): boolean => busy.longest <= maxWait && Object.keys(failures).length === 0 && exit === undefined
