/**
 * The lowest bit, as an unsigned number, that is not the id of a row; undefined if there are `max` rows, or if none of
 * the lowest `max` bits is free. The bit of a deleted row is used again, so deleting a row must remove its bit from all
 * masks.
 */
export function allocateBit(rows: readonly { id: number }[], max: number): number | undefined {
  if (rows.length >= max) return undefined
  const usedBits = new Set(rows.map(({ id }) => id))
  // A power is used instead of a shift, because 1 << 31 is negative.
  return Array.from({ length: max }, (_, bit) => 2 ** bit).find((bit) => !usedBits.has(bit))
}
