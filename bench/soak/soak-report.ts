import { formatNumber, formatTable } from '../figures/table.js'
import { sortTally } from '../figures/tally.js'
import type { Tally } from '../figures/tally.js'
import type { StateSigns } from './soak-state.js'
import { MAX_GROWTH } from './vital-signs.js'
import type { VitalSigns } from './vital-signs.js'

/** The result of a soak. */
export interface SoakResult {
  readonly responses: Tally
  readonly before: VitalSigns
  /** Undefined if the server ended, or did not respond any more. */
  readonly after: VitalSigns | undefined
  /** Sentences about what went wrong; empty if nothing did. */
  readonly problems: readonly string[]
}

/** Formats the result of a soak as tables in Markdown, and a verdict. */
export const formatSoakReport = ({ responses, before, after, problems }: SoakResult): string =>
  [
    formatTable(
      ['response', 'times'],
      sortTally(responses).map(([name, times]) => [name, times.toLocaleString('en-US')]),
    ),
    '',
    formatTable(
      ['after a reset and a garbage collection', 'before', 'after', 'growth allowed'],
      [
        formatRow('resident memory, MB', 'resident', before, after, toMegabytes),
        formatRow('memory in use, MB', 'used', before, after, toMegabytes),
        formatRow('open descriptors', 'descriptors', before, after, String),
      ],
    ),
    '',
    problems.length === 0 ? 'ok' : ['FAILED', ...problems.map((each) => `- ${each}`)].join('\n'),
  ].join('\n')

/** Formats what a server with `--state` held when it was killed as a table in Markdown. */
export function formatStateSigns(signs: readonly StateSigns[]): string {
  const toRow = (
    label: string,
    name: keyof StateSigns,
    format: (value: number) => string,
  ): string[] => {
    const values = signs.map((each) => each[name] ?? Number.NaN)
    return [
      label,
      ...[values[0], values.at(-1), Math.max(...values)].map((value) =>
        format(value ?? Number.NaN),
      ),
    ]
  }
  return formatTable(
    ['at a kill', 'first', 'last', 'most'],
    [
      toRow('resident memory, MB', 'resident', toMegabytes),
      toRow('memory in use, MB', 'used', toMegabytes),
      toRow('open descriptors', 'descriptors', String),
      toRow('files of the state, MB', 'files', toMegabytes),
    ],
  )
}

function formatRow(
  label: string,
  name: keyof VitalSigns,
  before: VitalSigns,
  after: VitalSigns | undefined,
  format: (value: number) => string,
): string[] {
  const formatOptional = (value: number | undefined): string =>
    value === undefined ? 'n/a' : format(value)
  return [
    label,
    formatOptional(before[name]),
    formatOptional(after?.[name]),
    format(MAX_GROWTH[name]),
  ]
}

const toMegabytes = (bytes: number): string => formatNumber(bytes / 2 ** 20)
