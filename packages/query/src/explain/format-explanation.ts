import { describePath } from '../condition.js'
import type { QueryOperator } from '../selector/operator.js'
import { FIELD_OPERATORS } from '../selector/operators/query-operators.js'
import type { ClauseExplanation, ElementExplanation } from './explanation.js'
import { formatJson } from './found-values.js'

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
  const note = error ?? (path !== undefined && path === shownPath ? '' : describeMet(clause))
  return {
    text: `${condition}: ${describeVerdict(matches)}${note === '' ? '' : ` (${note})`}`,
    children: [
      // An `$all` of one entry is shown as this entry.
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

/** Describes the values that a condition found, and easily overlooked reasons why they do not match. */
function describeMet({
  path,
  operator,
  operand = null,
  matches,
  found,
  values = [],
  elements = [],
}: ClauseExplanation): string {
  if (found === undefined || elements.length > 0) return ''
  const note = matches === false && values.length > 0 ? getNote(operator)?.(operand, values) : ''
  return `${path === undefined ? '' : `${describePath(path)} is `}${found}${note ?? ''}`
}

/** Returns the note of an operator. The types of a `$jsonSchema` have the note of `$type`. */
function getNote(operator: string): QueryOperator['note'] {
  const operators: Readonly<Record<string, QueryOperator>> = FIELD_OPERATORS
  return operators[operator === 'type' || operator === 'bsonType' ? '$type' : operator]?.note
}

const describeVerdict = (matches: boolean | null): string =>
  matches === null ? 'not known' : matches ? 'yes' : 'no'
