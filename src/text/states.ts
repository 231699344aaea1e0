// Labels for the numeric states of the wire (docs/wire.md, Inputs and outputs; contract/stream/protocols.ts, contract/device/device.ts).
import { UNKNOWN_ERROR } from '../../contract/codes.ts'
import { DEVICE_WARNING_BITS, type DeviceUpdate } from '../../contract/device/status.ts'
import { CONNECTION_STATE, SOURCE_STATE } from '../../contract/stream/protocols.ts'
import { UPDATE_FAILED, UPDATE_STATE_SENTENCES } from '../../contract/text/error-sentences.ts'
import { WARNING_LABELS } from '../../contract/text/sentences.ts'
import { codeText } from './codes.ts'
import { type Translation, t } from './language.ts'

/** The meaning of a state, shown as a colour and a symbol next to its label. */
export type Tone = 'good' | 'busy' | 'warn' | 'bad' | 'off'

type ToneAndText = readonly [tone: Tone, text: Translation]

/** By `SOURCE_STATE`, from 0. */
const SOURCES: Readonly<Record<number, ToneAndText>> = [
  ['off', ['Initializing', '初始化']],
  ['busy', ['Adding', '正在添加']],
  ['good', ['Running', '运行中']],
  ['bad', ['Failed to add', '添加失败']],
  ['busy', ['Configuring', '正在配置']],
  ['bad', ['Not supported', '不支持']],
  ['bad', ['Firmware too old', '固件版本过低']],
  ['off', ['Offline', '离线']],
  ['bad', ['Failed', '失败']]
]

const CONNECTIONS: Readonly<Record<number, ToneAndText>> = {
  [CONNECTION_STATE.waiting]: ['off', ['Waiting', '等待中']],
  [CONNECTION_STATE.connecting]: ['busy', ['Connecting', '正在连接']],
  [CONNECTION_STATE.waitingForData]: ['busy', ['Waiting for data', '等待数据']],
  [CONNECTION_STATE.connected]: ['good', ['Connected', '已连接']],
  [CONNECTION_STATE.failed]: ['bad', ['Connection failed', '连接失败']],
  [CONNECTION_STATE.disconnected]: ['bad', ['Disconnected', '连接断开']],
  [CONNECTION_STATE.refused]: ['bad', ['Refused by the peer', '被对端拒绝']],
  [CONNECTION_STATE.nameNotFound]: ['bad', ['Domain name not found', '域名解析失败']],
  [CONNECTION_STATE.tcpPortFailed]: ['bad', ['TCP port unreachable', 'TCP 端口无法连接']],
  [CONNECTION_STATE.handshakeFailed]: ['bad', ['Handshake failed', '握手失败']],
  [CONNECTION_STATE.streamFailed]: ['bad', ['Stream connection failed', '流连接失败']],
  [CONNECTION_STATE.notAuthorized]: ['bad', ['Authorization failed', '认证失败']],
  [CONNECTION_STATE.creationFailed]: ['bad', ['Creation failed', '创建失败']]
}

const UNKNOWN: ToneAndText = ['off', ['Unknown', '未知']]

/** The label of a state. */
export interface StateLabel {
  text: string
  tone: Tone
}

function createLabel(labels: Readonly<Record<number, ToneAndText>>, state: number): StateLabel {
  const [tone, text] = labels[state] ?? UNKNOWN
  return { text: t(text), tone }
}

/** The label of a source state (`SOURCE_STATE`). */
export function sourceLabel(state: number): StateLabel {
  return createLabel(SOURCES, state)
}

/** The label of a source connection state (`CONNECTION_STATE`). */
export function connectionLabel(state: number): StateLabel {
  return createLabel(CONNECTIONS, state)
}

/**
 * The label of a leg of a channel. The connection state is used where it names the cause of a failure, and while a running leg waits for
 * its peer.
 */
export function legLabel(state: number, connection: number): StateLabel {
  const hasFailed = state === SOURCE_STATE.failed || state === SOURCE_STATE.addFailed
  if (
    (hasFailed && connection >= CONNECTION_STATE.failed) ||
    (state === SOURCE_STATE.running && connection !== CONNECTION_STATE.connected)
  )
    return connectionLabel(connection)
  return sourceLabel(state)
}

/** The labels of the bits of a warning mask (`dev-warns`). */
export function warningLabels(mask: number): string[] {
  return (Object.keys(WARNING_LABELS) as (keyof typeof DEVICE_WARNING_BITS)[])
    .filter((name) => mask & DEVICE_WARNING_BITS[name])
    .map((name) => t(WARNING_LABELS[name]))
}

/** The status of a device update (`DEVICE_UPDATE_STATE`) from a hub that sends no text. @param progress percent @param reason a result code */
export function updateStatus({ state, progress, reason }: DeviceUpdate): StateLabel {
  const [tone, text] = UPDATE_STATE_SENTENCES[state] ?? UPDATE_FAILED
  return { tone, text: t(text, tone === 'bad' ? codeText(reason ?? UNKNOWN_ERROR) : Math.round(progress)) }
}
