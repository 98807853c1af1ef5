import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import ts from 'typescript'

/** A regular expression of a source file. */
export interface Pattern {
  readonly file: string
  readonly line: number
  /** Its source and flags, or undefined where the text is not constant. */
  readonly regex: RegExp | undefined
  /** What the comment `// bounded: …` beside it says, if there is one. */
  readonly bounded: string | undefined
  /** If the function around it reads or cuts a length. */
  readonly readsLength: boolean
}

/**
 * Lists the regular expressions of a source file: the literals, what `RegExp` is called with, and the
 * `pattern` of schemas, which the validator compiles.
 * @param file the path of the file
 */
export function listPatterns(file: string, text = readFileSync(file, 'utf8')): Pattern[] {
  const source = parse(file, text)
  const lines = text.split('\n')
  const found: Pattern[] = []
  const add = (node: ts.Node, regex: RegExp | undefined): void => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart(source))
    const beside = [lines[line - 1], lines[line]].map((around = '') =>
      /\/\/ bounded: (.+)/.exec(around),
    )
    const bounded = beside.find((match) => match !== null)?.[1]
    found.push({ file, line: line + 1, regex, bounded, readsLength: readsLength(node) })
  }
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      add(node, toRegExp(node.text))
    } else if (
      (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
      node.expression.getText(source) === 'RegExp'
    ) {
      const [pattern, flags] = (node.arguments ?? []).map((part) => evaluate(part, source))
      add(node, pattern === undefined ? undefined : new RegExp(pattern, flags))
    } else if (ts.isPropertyAssignment(node) && node.name.getText(source) === 'pattern') {
      const pattern = evaluate(node.initializer, source)
      if (pattern !== undefined) add(node, new RegExp(pattern, 'u'))
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

const parse = (file: string, text: string): ts.SourceFile =>
  ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)

/** Returns the regular expression of a literal: `/a/i`. */
function toRegExp(literal: string): RegExp {
  const end = literal.lastIndexOf('/')
  return new RegExp(literal.slice(1, end), literal.slice(end + 1))
}

/** Returns the text that an expression always has, or undefined. Constants may come from other files. */
function evaluate(node: ts.Node, source: ts.SourceFile): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text
  if (ts.isTemplateExpression(node)) {
    const parts = node.templateSpans.map(({ expression, literal }) => {
      const text = evaluate(expression, source)
      return text === undefined ? undefined : text + literal.text
    })
    return parts.includes(undefined) ? undefined : node.head.text + parts.join('')
  }
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    const parts = [evaluate(node.left, source), evaluate(node.right, source)]
    return parts.includes(undefined) ? undefined : parts.join('')
  }
  if (ts.isPropertyAccessExpression(node) && node.name.text === 'source')
    return evaluate(node.expression, source)
  if (ts.isRegularExpressionLiteral(node)) return toRegExp(node.text).source
  if (ts.isTaggedTemplateExpression(node) && ts.isNoSubstitutionTemplateLiteral(node.template))
    return node.template.rawText // of String.raw
  return ts.isIdentifier(node) ? evaluateConstant(node.text, source) : undefined
}

/** Returns the text of a constant that a file declares or imports, or undefined. */
function evaluateConstant(name: string, source: ts.SourceFile): string | undefined {
  for (const statement of source.statements) {
    if (ts.isVariableStatement(statement)) {
      const { declarations } = statement.declarationList
      const found = declarations.find((declaration) => declaration.name.getText(source) === name)
      if (found?.initializer !== undefined) return evaluate(found.initializer, source)
    } else if (ts.isImportDeclaration(statement) && statement.importClause?.namedBindings) {
      const bindings = statement.importClause.namedBindings
      const from = (statement.moduleSpecifier as ts.StringLiteral).text
      if (!ts.isNamedImports(bindings) || !from.startsWith('.')) continue
      const found = bindings.elements.find((element) => element.name.text === name)
      if (found === undefined) continue
      const file = join(dirname(source.fileName), from.replace(/\.js$/, '.ts'))
      return evaluateConstant(
        (found.propertyName ?? found.name).text,
        parse(file, readFileSync(file, 'utf8')),
      )
    }
  }
  return undefined
}

/** Returns if the outermost function around a node compares or cuts a length. */
function readsLength(node: ts.Node): boolean {
  let around: ts.Node | undefined
  for (let parent = node.parent; parent !== undefined; parent = parent.parent)
    if (ts.isFunctionLike(parent)) around = parent
  return around !== undefined && /\blength\b|\.slice\(|\.charAt\(/.test(around.getText())
}
