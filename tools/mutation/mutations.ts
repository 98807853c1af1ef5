import ts from 'typescript'

/** A change of one place of a source file. */
export interface Mutation {
  /** The path of the file, relative to the root. */
  readonly file: string
  readonly line: number
  readonly start: number
  readonly end: number
  /** The start and the end of the expression that runs if the place does. */
  readonly probe: readonly [start: number, end: number]
  /** What stands there, and what the change puts there. */
  readonly before: string
  readonly after: string
}

/** Operators that the types of the operands allow to be exchanged. */
const SWAPPED: ReadonlyMap<ts.SyntaxKind, string> = new Map([
  [ts.SyntaxKind.EqualsEqualsEqualsToken, '!=='],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, '==='],
  [ts.SyntaxKind.LessThanToken, '<='],
  [ts.SyntaxKind.LessThanEqualsToken, '<'],
  [ts.SyntaxKind.GreaterThanToken, '>='],
  [ts.SyntaxKind.GreaterThanEqualsToken, '>'],
  [ts.SyntaxKind.AmpersandAmpersandToken, '||'],
  [ts.SyntaxKind.BarBarToken, '&&'],
  [ts.SyntaxKind.PlusToken, '-'],
  [ts.SyntaxKind.MinusToken, '+'],
  [ts.SyntaxKind.AsteriskToken, '/'],
  [ts.SyntaxKind.SlashToken, '*'],
])

/**
 * Returns the changes that a source file offers: an operator exchanged, a condition negated, a number one
 * more, a boolean flipped, a statement left out. Texts stay: most of them are messages.
 * @param file its path, relative to the root
 */
export function listMutations(file: string, text: string): Mutation[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const found: Mutation[] = []
  const add = (node: ts.Node, after: string, expression = node): void => {
    const start = node.getStart(source)
    const line = source.getLineAndCharacterOfPosition(start).line + 1
    const probe = [expression.getStart(source), expression.end] as const
    found.push({ file, line, start, end: node.end, probe, before: node.getText(source), after })
  }
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isInterfaceDeclaration(node))
      return
    if (ts.isBinaryExpression(node)) {
      const operator = SWAPPED.get(node.operatorToken.kind)
      const isText = ts.isStringLiteralLike(node.left) || ts.isStringLiteralLike(node.right)
      if (operator !== undefined && !isText) add(node.operatorToken, operator, node)
    } else if (ts.isIfStatement(node)) {
      add(node.expression, `!(${node.expression.getText(source)})`)
    } else if (ts.isConditionalExpression(node)) {
      add(node.condition, `!(${node.condition.getText(source)})`)
    } else if (ts.isNumericLiteral(node) && !isName(node)) {
      add(node, `(${node.text} + 1)`)
    } else if (
      node.kind === ts.SyntaxKind.TrueKeyword ||
      node.kind === ts.SyntaxKind.FalseKeyword
    ) {
      add(node, node.kind === ts.SyntaxKind.TrueKeyword ? 'false' : 'true')
    } else if (ts.isExpressionStatement(node)) {
      add(node, ';', node.expression)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/** Whether a number is the name of a property. */
const isName = (node: ts.NumericLiteral): boolean =>
  (ts.isPropertyAssignment(node.parent) && node.parent.name === node) ||
  (ts.isBindingElement(node.parent) && node.parent.propertyName === node)

/**
 * Returns a source file that appends the index of each change whose place runs to the file that the
 * environment names as MUTATION_REACHED.
 */
export function addProbes(file: string, text: string, mutations: readonly Mutation[]): string {
  const insertions = mutations.flatMap(({ file: other, probe: [start, end] }, index) =>
    other === file
      ? [
          { at: start, length: end - start, text: `__returnLast(__reach(${index}), ` },
          { at: end, length: start - end, text: ')' },
        ]
      : [],
  )
  // What is inserted last at a place stands first: the outer expression opens first and closes last.
  const ordered = insertions.toSorted(
    (one, other) => other.at - one.at || one.length - other.length,
  )
  let probed = text
  for (const { at, text: inserted } of ordered)
    probed = probed.slice(0, at) + inserted + probed.slice(at)
  return `${probed}
function __returnLast(_, value) {
  return value
}
function __reach(index) {
  const log = globalThis.process?.env.MUTATION_REACHED
  if (log === undefined) return
  const reached = (globalThis.reachedPlaces ??= new Set())
  if (reached.has(index)) return
  reached.add(index)
  process.getBuiltinModule('node:fs').appendFileSync(log, index + '\\n')
}
`
}
