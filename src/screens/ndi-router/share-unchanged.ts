// Structural sharing between two versions of the same JSON value.

type Fields = Record<string, unknown>

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null

/** @returns `next`, with every part that equals the one at the same place of `previous` replaced by that one */
export function shareUnchanged<Value>(previous: unknown, next: Value): Value {
  if (previous === next || !isObject(previous) || !isObject(next)) return next
  if (Array.isArray(previous) !== Array.isArray(next)) return next
  const shared: Fields = Array.isArray(next) ? ([] as unknown as Fields) : {}
  const keys = Object.keys(next)
  let isEqual = keys.length === Object.keys(previous).length
  for (const key of keys) {
    shared[key] = shareUnchanged(previous[key], next[key])
    isEqual &&= shared[key] === previous[key]
  }
  return (isEqual ? previous : shared) as Value
}
