// The value axis of a chart.

/**
 * Chooses an axis from 0 with at most four intervals of a round length: 1, 2, 2.5 or 5 times a power of ten.
 * @returns the end of the axis, which is not below `highestValue`, and the values to label
 */
export function niceAxis(highestValue: number): { max: number; ticks: number[] } {
  const minInterval = highestValue / 4
  // The logarithm of 0 is not finite: an axis of nothing but 0 ends at 1.
  const power = 10 ** Math.floor(Math.log10(minInterval || 0.25))
  const interval = power * ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= minInterval) ?? 10)
  const count = Math.max(1, Math.ceil(highestValue / interval))
  return { max: interval * count, ticks: Array.from({ length: count + 1 }, (_, index) => interval * index) }
}
