// Words for the states the wire has as numbers (specification 4, contract/stream/protocols.ts, contract/device/device.ts).
import { WARNING } from '../../contract/device/device.ts'
import { WARNING_WORDS } from '../../contract/sentences.ts'
import { CONNECTION, SOURCE } from '../../contract/stream/protocols.ts'
import { type Pair, t } from './language.ts'

/** What a state means for who watches: the colour and shape beside its word. */
export type Tone = 'good' | 'busy' | 'warn' | 'bad' | 'off'

type Word = readonly [tone: Tone, text: Pair]

/** By `SOURCE`, from 0 on. */
const SOURCES: Readonly<Record<number, Word>> = [
  ['off', ['Initializing', '初始化']],
  ['busy', ['Adding', '正在添加']],
  ['good', ['Running', '运行中']],
  ['bad', ['Could not be added', '添加失败']],
  ['busy', ['Configuring', '正在配置']],
  ['bad', ['Not supported', '不支持']],
  ['bad', ['Firmware too old', '固件版本过低']],
  ['off', ['Offline', '离线']],
  ['bad', ['Failed', '失败']]
]

const CONNECTIONS: Readonly<Record<number, Word>> = {
  [CONNECTION.waiting]: ['off', ['Waiting', '等待中']],
  [CONNECTION.connecting]: ['busy', ['Connecting', '正在连接']],
  [CONNECTION.waitingForData]: ['busy', ['Waiting for data', '等待数据']],
  [CONNECTION.connected]: ['good', ['Connected', '已连接']],
  [CONNECTION.failed]: ['bad', ['Connection failed', '连接失败']],
  [CONNECTION.disconnected]: ['bad', ['Disconnected', '连接断开']],
  [CONNECTION.refused]: ['bad', ['Refused by the remote', '被远端拒绝']],
  [CONNECTION.nameNotFound]: ['bad', ['Domain name not found', '域名解析失败']],
  [CONNECTION.tcpPortFailed]: ['bad', ['TCP port failed', 'TCP 端口失败']],
  [CONNECTION.handshakeFailed]: ['bad', ['Handshake failed', '握手失败']],
  [CONNECTION.streamFailed]: ['bad', ['Stream connection failed', '流连接失败']],
  [CONNECTION.notAuthorized]: ['bad', ['Authorization failed', '认证失败']],
  [CONNECTION.creationFailed]: ['bad', ['Creation failed', '创建失败']]
}

const UNKNOWN: Word = ['off', ['Unknown', '未知']]

/** A state as it is shown. */
export interface StateWord {
  text: string
  tone: Tone
}

function said(words: Readonly<Record<number, Word>>, state: number): StateWord {
  const [tone, text] = words[state] ?? UNKNOWN
  return { text: t(text), tone }
}

/** The word for a source state (`SOURCE`). */
export function sourceWord(state: number): StateWord {
  return said(SOURCES, state)
}

/** The word for a source connection state (`CONNECTION`). */
export function connectionWord(state: number): StateWord {
  return said(CONNECTIONS, state)
}

/**
 * The word for a leg of a channel, its cause included: what its connection says where that is more than what its state says.
 * A leg that runs but is not connected waits for someone.
 */
export function legWord(state: number, connection: number): StateWord {
  const faulty = state === SOURCE.failed || state === SOURCE.addFailed
  if ((faulty && connection >= CONNECTION.failed) || (state === SOURCE.running && connection !== CONNECTION.connected))
    return connectionWord(connection)
  return sourceWord(state)
}

/** The words for the bits of a warning mask (`dev-warns`), in the specification's order. */
export function warningWords(mask: number): string[] {
  return (Object.keys(WARNING_WORDS) as (keyof typeof WARNING)[])
    .filter((name) => mask & WARNING[name])
    .map((name) => t(WARNING_WORDS[name]))
}
