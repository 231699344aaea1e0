// How the update of a device's firmware stands.
import { CANCELED } from '../../contract/codes.ts'
import type { DeviceUpdate } from '../../contract/device.ts'
import { UPDATE } from '../../contract/firmware.ts'
import { codeText } from '../text/codes.ts'
import { type Pair, t } from '../text/language.ts'
import { percent } from '../text/numbers.ts'
import type { Tone } from '../text/states.ts'
import { State } from '../ui/state.tsx'

const STATES: Readonly<Record<number, readonly [Tone, Pair]>> = {
  [UPDATE.failed]: ['bad', ['Update failed', '更新失败']],
  [UPDATE.idle]: ['good', ['Updated', '已更新']],
  [UPDATE.waiting]: ['off', ['Waiting', '等待中']],
  [UPDATE.updating]: ['busy', ['Sending: {0}', '正在传输：{0}']],
  [UPDATE.installing]: ['busy', ['Installing: {0}', '正在安装：{0}']],
  [UPDATE.restarting]: ['busy', ['Restarting', '正在重启']]
}
const CANCELLED: readonly [Tone, Pair] = ['off', ['Cancelled', '已取消']]
const UNKNOWN: readonly [Tone, Pair] = ['off', ['Unknown', '未知']]

/** The state with its percent, and with the reason of a failure as its tooltip. */
export function UpdateState({ update: { state, progress, reason } }: { update: DeviceUpdate }) {
  const failed = state === UPDATE.failed
  const [tone, word] = failed && reason === CANCELED ? CANCELLED : (STATES[state] ?? UNKNOWN)
  const why = failed && reason !== undefined && reason !== CANCELED ? codeText(reason) : undefined
  return <State tone={tone} text={t(word, percent(progress))} tip={why} />
}
