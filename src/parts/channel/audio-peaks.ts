// The peaks of audio meters, held for some seconds so that one can read them.

/** Milliseconds for which a peak is held. */
const PEAK_HOLD = 2000

/** The highest level of an audio channel within the last seconds. */
export interface Peak {
  /** dBFS. */
  level: number
  /** Milliseconds since the epoch. */
  at: number
}

/** The peaks after new levels have arrived. */
export function holdPeaks(peaks: readonly Peak[], levels: readonly number[], now: number): Peak[] {
  return levels.map((level, index) => {
    const peak = peaks[index]
    return peak && peak.level > level && now - peak.at < PEAK_HOLD ? peak : { level, at: now }
  })
}
