import { InputPath } from '@materials-mock/json'
import type { Json, JsonObject } from '@materials-mock/json'
import { PatternBudget } from '../../src/compile-pattern.js'
import { ExpressionParser } from '../../src/expressions/expression-parser.js'
import { toJson } from '../../src/expressions/to-json.js'

/** Compiles an expression into a function that returns its result for an item. */
export function compileExpression(expression: Json): (item: JsonObject) => Json | undefined {
  const path = new InputPath('query', 'query.$expr')
  const parser = new ExpressionParser(path, new PatternBudget(path))
  const { evaluate } = parser.parse(expression, path)
  return (item) => {
    parser.scope.start(item)
    return toJson(evaluate(), { path, scope: parser.scope })
  }
}
