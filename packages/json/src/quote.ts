export function quote(value: unknown): string {
  const text = toText(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

/**
 * Whether an object has no class. It may be of another realm with its own `Object.prototype`, such as
 * the realm of a test in Jest.
 */
export function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

function toText(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'function') return 'a function'
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value)
  if (typeof value === 'object' && value !== null) return objectToText(value)
  return JSON.stringify(value) ?? String(value)
}

/** Returns the name of an object's class. A prototype may have no name. */
function findClassName(value: object): string {
  const { constructor }: { readonly constructor?: unknown } = Object.getPrototypeOf(value)
  return (typeof constructor === 'function' && constructor.name) || 'a class without a name'
}

function objectToText(value: object): string {
  if (!Array.isArray(value) && !isPlainObject(value))
    return value instanceof RegExp ? String(value) : `an instance of ${findClassName(value)}`
  try {
    return JSON.stringify(value)
  } catch {
    // The value contains itself, or a BigInt.
    return Array.isArray(value) ? 'an array' : 'an object'
  }
}
