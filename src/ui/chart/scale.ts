// The axis of a chart.

/** The round number at or above `highest` at which an axis ends, and its steps: 1, 2 or 5 of a power of ten. */
export function scaleTo(highest: number): { top: number; steps: number[] } {
  // Four steps at most; of nothing there is no power of ten.
  const rough = highest / 4
  const power = 10 ** Math.floor(Math.log10(rough || 0.25))
  const step = power * ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough) ?? 10)
  const count = Math.max(1, Math.ceil(highest / step))
  return { top: step * count, steps: Array.from({ length: count + 1 }, (_, index) => step * index) }
}
