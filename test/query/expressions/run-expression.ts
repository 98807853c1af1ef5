import { InputPath } from '../../../src/json/input-path.js'
import type { Json, JsonObject } from '../../../src/json/json.js'
import { PatternBudget } from '../../../src/query/compile-pattern.js'
import { ExpressionParser } from '../../../src/query/expressions/expression-parser.js'
import { toJson } from '../../../src/query/expressions/to-json.js'

/** Compiles an expression into a function that returns its result for an item. */
export function compileExpression(expression: Json): (item: JsonObject) => Json | undefined {
  const path = new InputPath('query', 'query.$expr')
  const parser = new ExpressionParser(path, new PatternBudget(path, expression))
  const { evaluate } = parser.parse(expression, path)
  return (item) => {
    parser.scope.start(item)
    return toJson(evaluate(), { path, scope: parser.scope })
  }
}
