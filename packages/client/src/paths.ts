/** The number of levels of typed paths, as a counter: recursive types need an end. */
type Levels = [never, 0, 1, 2, 3, 4, 5]

/** Whether one of the fields of a value is an array. */
type HasArray<Value> = true extends {
  [Field in keyof Value]-?: NonNullable<Value[Field]> extends readonly unknown[] ? true : false
}[keyof Value]
  ? true
  : false

/**
 * A path within a value: the names of fields, with dots between them. Each path with an index is a pattern, which
 * TypeScript compares with each key. Nested arrays would multiply them, so any path may follow the index of an outer one.
 */
type PathOf<Value, Index extends string, Level extends number> = [Level] extends [never]
  ? string
  : unknown extends Value
    ? string
    : Value extends readonly (infer Element)[]
      ? | PathOf<Element, Index, Levels[Level]>
        | Index
        | (HasArray<Element> extends true
            ? `${Index}.${string}`
            : `${Index}.${PathOf<Element, Index, Levels[Level]>}`)
      : Value extends object
        ? string extends keyof Value
          ? string
          : {
              [Field in keyof Value & string]-?:
                Field | `${Field}.${PathOf<Value[Field], Index, Levels[Level]>}`
            }[keyof Value & string]
        : never

/** A path of a field of an item: `lattice`, `lattice.a`, `basis.elements.value`, `tags.0`. */
export type FieldPath<Item> = PathOf<Item, `${number}`, 6>

/** A path of a field to change. It may have `$[]` or `$[name]` in the place of an index. */
export type UpdatePath<Item> = PathOf<Item, `${number}` | '$[]' | `$[${string}]`, 6>

/** Whether a path stands for many, such as `tags.${number}`. TypeScript compares computed keys with these alone. */
export type IsPattern<Path extends string> =
  Record<never, never> extends Readonly<Record<Path, 1>> ? true : false

/** The values at a path of an item, through arrays. */
export type ValueAt<Value, Path extends string> = Path extends `${infer Field}.${infer Rest}`
  ? ValueAt<Step<Value, Field>, Rest>
  : Step<Value, Path>

type Step<Value, Field extends string> = unknown extends Value
  ? unknown
  : string extends Field // any path may follow
    ? unknown
    : Value extends readonly (infer Element)[]
      ? Field extends `${number}` | `$[${string}`
        ? Element
        : Step<Element, Field>
      : Value extends object
        ? string extends keyof Value
          ? unknown
          : Field extends keyof Value
            ? NonNullable<Value[Field]>
            : never
        : never

/** The first names of paths. */
export type Head<Path> = Path extends `${infer Field}.${string}` ? Field : Path

/** The rest of paths after a first name. */
export type Tail<Path, Field> = Path extends `${Field & string}.${infer Rest}` ? Rest : never
