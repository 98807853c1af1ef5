import { describePath } from '../selector/describe-expressions.js'
import { describeMismatch } from './describe-mismatch.js'
import type { ClauseExplanation, ElementExplanation } from './explanation.js'
import { formatJson } from './find-values.js'

/** A line with the lines below it. */
interface Node {
  readonly text: string
  readonly children: readonly Node[]
}

/**
 * Formats an explanation as a tree:
 *
 *     m1 does not match
 *     └─ formula $eq "SiO2": no (formula is "Si")
 */
export const formatExplanation = (
  headline: string,
  clauses: readonly ClauseExplanation[],
): string => [headline, ...formatNodes(clauses.map((clause) => toNode(clause)))].join('\n')

const formatNodes = (nodes: readonly Node[]): readonly string[] =>
  nodes.flatMap(({ text, children }, index) => {
    const isLast = index === nodes.length - 1
    const inner = formatNodes(children).map((line) => `${isLast ? '   ' : '│  '}${line}`)
    return [`${isLast ? '└─ ' : '├─ '}${text}`, ...inner]
  })

/** @param shownPath the path whose values the line above shows */
function toNode(clause: ClauseExplanation, shownPath?: string): Node {
  const { path, operator, operand, clauses = [], elements = [], matches, error } = clause
  const hasOwnTree = elements.length > 0 || (clauses.length > 0 && operator !== '$all')
  const condition = [
    ...(path === undefined ? [] : [describePath(path)]),
    operator,
    ...(operand === undefined || hasOwnTree ? [] : [formatJson(operand)]),
  ].join(' ')
  const note = error ?? (path !== undefined && path === shownPath ? '' : describeFound(clause))
  return {
    text: `${condition}: ${describeVerdict(matches)}${note === '' ? '' : ` (${note})`}`,
    children: [
      // An `$all` of one entry is that entry.
      ...(operator === '$all' && clauses.length === 1 && clauses[0]?.operator === '$eq'
        ? []
        : clauses.map((each) => toNode(each, clause.found === undefined ? undefined : path))),
      ...elements.map(toElementNode),
    ],
  }
}

const toElementNode = ({ array, position, matches, clauses }: ElementExplanation): Node => ({
  text: `${array === undefined ? '' : `array ${array}, `}element ${position}: ${describeVerdict(matches)}`,
  children: clauses.map((clause) => toNode(clause)),
})

function describeFound(clause: ClauseExplanation): string {
  const { path, found, elements = [] } = clause
  if (found === undefined || elements.length > 0) return ''
  return `${path === undefined ? '' : `${describePath(path)} is `}${found}${describeMismatch(clause)}`
}

const describeVerdict = (matches: boolean | null): string =>
  matches === null ? 'not known' : matches ? 'yes' : 'no'
