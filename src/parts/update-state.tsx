// How the update of a device's firmware stands.
import { CANCELED } from '../../contract/codes.ts'
import type { DeviceUpdate } from '../../contract/device.ts'
import { type Pair, t } from '../text/language.ts'
import { percent } from '../text/numbers.ts'
import type { Tone } from '../text/states.ts'
import { State } from '../ui/state.tsx'

type Word = readonly [Tone, Pair]

const FAILED: Word = ['bad', ['Failed: {0}', '失败：{0}']]
/** By `UPDATE`, from 0 on. */
const STATES: readonly Word[] = [
  ['good', ['Updated', '已更新']],
  ['off', ['Waiting', '等待中']],
  ['busy', ['Updating: {0}', '正在更新：{0}']],
  ['busy', ['Installing: {0}', '正在安装：{0}']],
  ['busy', ['Restarting', '正在重启']]
]

/** The state with its percent, or with the reason of a failure. */
export function UpdateState({
  update: { state, progress, reason, message = percent(progress) }
}: {
  update: DeviceUpdate
}) {
  if (reason === CANCELED) return <State tone="off" text={message} />
  const [tone, word] = STATES[state] ?? FAILED
  return <State tone={tone} text={t(word, message)} />
}
