// Audio meters of a channel in dBFS: green, amber above the alignment level of -18, red above the permitted maximum of
// -9 (EBU R 68).
import { atom, computed } from 'nanostores'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { CHANNEL_LEVELS_MAX } from '../../../contract/limits.ts'
import { channelLevels } from '../../../contract/stream/channel.ts'
import { createLiveValue } from '../../state/live-value.ts'
import { type Translation, t } from '../../text/language.ts'
import { number } from '../../text/numbers.ts'
import { useOnScreen } from '../../ui/on-screen.ts'
import { useStore } from '../../ui/use-store.ts'

const TEXT = {
  audio: ['Audio {0}', '音频 {0}'],
  noAudio: ['No audio', '无音频'],
  left: ['L', '左'],
  right: ['R', '右']
} as const satisfies Record<string, Translation>

/** dBFS: the ends of the scale. */
const LEVEL_MIN = -60
const LEVEL_MAX = 0
/** Labels of the scale in dBFS. The last one is at its end. */
const SCALE = [-60, -50, -40, -30, -18, -9, 0]

/** Position on the scale. */
const positionOf = (level: number) =>
  `${(100 * (Math.min(LEVEL_MAX, Math.max(LEVEL_MIN, level)) - LEVEL_MIN)) / (LEVEL_MAX - LEVEL_MIN)}%`

/** The name of an audio channel. @param count number of them */
const channelName = (index: number, count: number) =>
  count === 2 ? t(index ? TEXT.right : TEXT.left) : String(index + 1)

interface AudioMetersProps {
  id: number
  /** Thin bars without numbers, for tiles. */
  small?: boolean
}

/** The meters of a channel. The hub measures its level only while they are on screen. */
export function AudioMeters({ id, small }: AudioMetersProps) {
  const frame: RefObject<HTMLDivElement | null> = useRef(null)
  const isVisible = useOnScreen(frame)
  return (
    <div className={small ? 'audio-small' : 'audio'} ref={frame}>
      {isVisible ? <Meters id={id} small={small} /> : null}
    </div>
  )
}

/** Milliseconds that the hub takes for its first measurement. */
const FIRST_MEASUREMENT = 3000

/** Two empty meters are shown before the first value, so that the layout does not shift. */
const NO_LEVELS = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]

function Meters({ id, small }: AudioMetersProps) {
  useEffect(() => watchLevel(id), [id])
  const [shownAt] = useState(Date.now)
  const { value, updatedAt } = useStore($levels)
  const measured = value?.list.find((entry) => entry.id === id)?.level
  const levels = measured ?? NO_LEVELS
  const isMeasuring = updatedAt - shownAt < FIRST_MEASUREMENT
  const peaks = useRef<Peak[]>([])
  peaks.current = holdPeaks(peaks.current, levels, updatedAt)
  return (
    <>
      {levels.map((level, index) => {
        const name = channelName(index, levels.length)
        const text = measured ? `${number(level)} dBFS` : isMeasuring ? '–' : t(TEXT.noAudio)
        return (
          <Bar
            key={index}
            name={name}
            level={level}
            peak={peaks.current[index]?.level ?? level}
            text={text}
            small={small}
          />
        )
      })}
      {!small && (
        <div className="audio-scale" aria-hidden="true">
          {SCALE.map((level) => (
            <span key={level} style={{ '--level': positionOf(level) } as object}>
              {number(level)}
            </span>
          ))}
        </div>
      )}
    </>
  )
}

interface BarProps {
  name: string
  /** dBFS. */
  level: number
  peak: number
  text: string
  small?: boolean | undefined
}

function Bar({ name, level, peak, text, small }: BarProps) {
  const bar = (
    // biome-ignore lint/a11y/useSemanticElements: the element `meter` has neither fixed colour zones nor a peak
    <div
      className="audio-bar"
      role="meter"
      aria-label={t(TEXT.audio, name)}
      aria-valuemin={LEVEL_MIN}
      aria-valuemax={LEVEL_MAX}
      aria-valuenow={Math.max(LEVEL_MIN, Math.round(level))}
      aria-valuetext={text}
      style={{ '--level': positionOf(level), '--peak': positionOf(peak) } as object}
    >
      {peak > LEVEL_MIN && <i />}
    </div>
  )
  if (small) return bar
  return (
    <>
      <span aria-hidden="true">{name}</span>
      {bar}
      <span className="num" aria-hidden="true">
        {text}
      </span>
    </>
  )
}

/** Milliseconds for which a peak is held. */
const PEAK_HOLD = 2000

/** The highest level of an audio channel within the last seconds. */
interface Peak {
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

/** Number of meters on screen, by channel. */
const $watched = atom<ReadonlyMap<number, number>>(new Map())

/** Shows a channel's level. @returns ends it */
function watchLevel(id: number): () => void {
  const change = (step: number) => {
    const watched = new Map($watched.get())
    const count = (watched.get(id) ?? 0) + step
    if (count > 0) watched.set(id, count)
    else watched.delete(id)
    $watched.set(watched)
  }
  change(1)
  return () => change(-1)
}

/** The levels of the watched channels. */
export const $levels = createLiveValue({
  call: channelLevels,
  request: computed($watched, (watched) => ({ ids: [...watched.keys()].slice(0, CHANNEL_LEVELS_MAX).join() || '0' })),
  pace: 'fast'
})
