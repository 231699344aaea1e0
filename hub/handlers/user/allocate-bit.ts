/**
 * The lowest single bit that no row has for its id, unsigned; undefined when there are `max` rows, or none of the lowest `max` bits is free.
 * A bit of somebody who is no more is given again: nothing may be left of it in any mask.
 */
export function freeBit(rows: readonly { id: number }[], max: number): number | undefined {
  if (rows.length >= max) return undefined
  const taken = new Set(rows.map(({ id }) => id))
  // Powers, not shifts: 1 << 31 is negative.
  return Array.from({ length: max }, (_, bit) => 2 ** bit).find((bit) => !taken.has(bit))
}
