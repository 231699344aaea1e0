/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

export const isObject = (value: Json | undefined): value is Record<string, Json> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Merges two JSON objects. Where both have a value that is not an object, that of `over` is taken. */
export function mergeJson(under: Record<string, Json>, over: Record<string, Json>): Record<string, Json> {
  const merged = new Map(Object.entries(under))
  for (const [name, value] of Object.entries(over)) {
    const previous = merged.get(name)
    merged.set(name, isObject(previous) && isObject(value) ? mergeJson(previous, value) : value)
  }
  return Object.fromEntries(merged)
}
