// Audio level of the input on air. It is requested only while it is on screen, because the hub decodes the audio for
// it.
import { useRef } from 'react'
import { t } from '../../text/language.ts'
import { number } from '../../text/numbers.ts'
import { Meter } from '../../ui/chart/meter.tsx'
import { useOnScreen } from '../../ui/on-screen.ts'
import { useStore } from '../../ui/use-store.ts'
import { $audioLevel } from './store.ts'
import { TEXT } from './text.ts'

/** dBFS: the lowest level shown, the level of a warning, and the level at which the signal is about to clip. */
const LEVEL_MIN = -60
const LEVEL_WARNING = -9
const LEVEL_CLIPPING = -1

/** Position of a level on the meter, from 0 to 1. */
const positionOf = (level: number) => 1 - level / LEVEL_MIN

export function AudioLevel() {
  const container = useRef<HTMLDivElement>(null)
  return (
    <div className="level" ref={container}>
      {useOnScreen(container) && <Bars />}
    </div>
  )
}

/**
 * A meter for each audio channel. Two empty ones are shown before the first value, so that the layout does not shift.
 */
function Bars() {
  const { input, backups = [] } = useStore($audioLevel).value?.channel ?? {}
  const levels = [input, ...backups].find((leg) => leg?.report?.level)?.report?.level
  return (levels ?? [LEVEL_MIN, LEVEL_MIN]).map((level, index) => (
    <Meter
      key={index}
      label={`${t(TEXT.audio)} ${index + 1}`}
      value={positionOf(level)}
      text={levels ? `${number(level)} dBFS` : '–'}
      warnFrom={positionOf(LEVEL_WARNING)}
      criticalFrom={positionOf(LEVEL_CLIPPING)}
    />
  ))
}
