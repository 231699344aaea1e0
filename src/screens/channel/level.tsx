// How loud the input on air is, asked for while it is on screen: the hub decodes its sound only as long as somebody looks.
import { useRef } from 'react'
import { t } from '../../text/language.ts'
import { number } from '../../text/numbers.ts'
import { Meter } from '../../ui/chart/meter.tsx'
import { useOnScreen } from '../../ui/on-screen.ts'
import { useStore } from '../../ui/use-store.ts'
import { $level } from './store.ts'
import { TEXT } from './text.ts'

/** dBFS: where the bar begins, where it is loud, and where it will clip. */
const QUIET = -60
const LOUD = -9
const CLIPS = -1

/** How far along the bar a level is: 0-1. */
const along = (level: number) => 1 - level / QUIET

export function Level() {
  const frame = useRef<HTMLDivElement>(null)
  return (
    <div className="level" ref={frame}>
      {useOnScreen(frame) && <Bars />}
    </div>
  )
}

/** A bar for each audio channel; two that are empty until there is something to tell, so that nothing moves when there is. */
function Bars() {
  const { input, backups = [] } = useStore($level).value?.channel ?? {}
  const levels = [input, ...backups].find((leg) => leg?.report?.level)?.report?.level
  return (levels ?? [QUIET, QUIET]).map((level, at) => (
    <Meter
      key={at}
      label={`${t(TEXT.audio)} ${at + 1}`}
      value={along(level)}
      text={levels ? `${number(level)} dBFS` : '–'}
      warn={along(LOUD)}
      bad={along(CLIPS)}
    />
  ))
}
