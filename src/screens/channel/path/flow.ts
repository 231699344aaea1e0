// The flow between a node of the signal path and the picture.
import type { Health } from '../../../../contract/health.ts'

/** `live`: carries the stream on air. `failed`: should carry it, but cannot. `idle`: carries nothing. */
export type Flow = 'live' | 'failed' | 'idle'

/** @param isSelected whether the node is the input on air, or an output */
export function flowOf({ verdict }: Pick<Health<string>, 'verdict'>, isSelected = true): Flow {
  if (verdict === 'down') return 'failed'
  return ['on-air', 'degraded'].includes(verdict) && isSelected ? 'live' : 'idle'
}
