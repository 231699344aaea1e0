// Labels and sentences of verdicts (contract/health.ts): a shape and a word beside the colour, the cause, and what to
// do.
import type {
  ChannelVerdict,
  DeviceVerdict,
  Health,
  HealthReason,
  HubVerdict,
  InputVerdict
} from '../../contract/health.ts'
import { causeSentences, NEXT_STEP_SENTENCES } from '../../contract/text/health-sentences.ts'
import { type Translation, t } from './language.ts'
import type { Tone } from './states.ts'

/**
 * Any verdict: on a channel, an input, an output, a device or the hub. `receiving`: an input has media, and its channel
 * is not on air.
 */
export type Verdict = ChannelVerdict | InputVerdict | DeviceVerdict | HubVerdict | 'receiving'

/** The shape of a verdict as a character, for texts such as the title of the page. */
export type Shape = '●' | '▲' | '◆' | '…' | '◌' | '■' | '○' | '◐'

const VERDICTS: Readonly<Record<Verdict, readonly [Tone, Shape, Translation]>> = {
  'on-air': ['good', '●', ['On air', '播出中']],
  degraded: ['warn', '▲', ['Degraded', '异常']],
  down: ['bad', '◆', ['Down', '中断']],
  waiting: ['busy', '…', ['Waiting for incoming stream', '等待推流']],
  starting: ['busy', '◌', ['Starting', '正在启动']],
  stopped: ['off', '■', ['Stopped', '已停止']],
  standby: ['good', '○', ['Standby', '备用就绪']],
  receiving: ['good', '●', ['Receiving', '接收中']],
  online: ['good', '●', ['Online', '在线']],
  warning: ['warn', '▲', ['Warning', '告警']],
  offline: ['bad', '◆', ['Offline', '离线']],
  updating: ['busy', '◌', ['Updating', '正在更新']],
  pending: ['busy', '◐', ['Pending approval', '待审批']],
  rejected: ['off', '■', ['Rejected', '已拒绝']]
}

/** What an output waits for. */
const WAITING_FOR: Partial<Record<HealthReason, Translation>> = {
  'awaits-player': ['Waiting for player', '等待播放端'],
  'input-silent': ['Waiting for input', '等待输入']
}

export interface HealthLabel {
  tone: Tone
  shape: Shape
  text: string
}

/** The label of a verdict. It fits `StatusLabel`. */
export function healthLabel({ verdict, reason }: Pick<Health<Verdict>, 'verdict' | 'reason'>): HealthLabel {
  const [tone, shape, text] = VERDICTS[verdict]
  return { tone, shape, text: t((verdict === 'waiting' && reason && WAITING_FOR[reason]) || text) }
}

/**
 * Why a verdict is as it is and what to do about it: the hub's words, otherwise those of its codes. Both are empty if
 * nothing is wrong.
 */
export function healthSentence(health: Omit<Health<string>, 'verdict'>): { why: string; todo: string } {
  const { message, 'next-step': step } = health
  if (message) {
    const [why = '', ...todo] = message.split('\n')
    return { why, todo: todo.join(' ') }
  }
  // A hub of a later version has steps that are not known here.
  const next = step && NEXT_STEP_SENTENCES[step]
  const why = causeSentences(health).map(([sentence, values]) => t(sentence, values))
  return { why: why.join(' '), todo: next === undefined ? '' : t(next) }
}
