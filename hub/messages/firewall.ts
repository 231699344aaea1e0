// Sentences about the firewall of the machine.
import {
  FIREWALL_MODE,
  type FirewallMode,
  type FirewallUndoReason,
  type PortUse
} from '../../contract/machine/firewall/firewall.ts'
import { type Language, type Translation, translate } from './language.ts'

const UNDO_SENTENCES: Readonly<Record<FirewallUndoReason, Translation>> = {
  'not-confirmed': ['Not confirmed in time', '未及时确认'],
  cancelled: ['A user cancelled it', '用户已取消'],
  interrupted: ['The firewall service was restarted', '防火墙服务已重启']
}

/** Why a change of the firewall was undone. An unknown reason, for example of a newer hub, is shown as it is. */
export function firewallUndoText(language: Language, reason: string): string {
  const isKnown = Object.hasOwn(UNDO_SENTENCES, reason)
  return isKnown ? translate(language, UNDO_SENTENCES[reason as FirewallUndoReason]) : reason
}

/** Why a confirmation is refused (result 38). */
const OLD_CONNECTION: Translation = [
  'Confirm the change over a new connection. Open the console in another browser window.',
  '请通过新连接确认更改，例如在另一个浏览器窗口中打开控制台。'
]

export const oldConnectionText = (language: Language): string => translate(language, OLD_CONNECTION)

const MODE_SENTENCES: Readonly<Record<FirewallMode, Translation>> = {
  [FIREWALL_MODE.rules]: ['Rules', '规则'],
  [FIREWALL_MODE.blocked]: ['All ports blocked', '阻止所有端口'],
  [FIREWALL_MODE.open]: ['All ports open', '开放所有端口']
}

export const firewallModeText = (language: Language, mode: FirewallMode): string =>
  translate(language, MODE_SENTENCES[mode])

/** {0}: name of the input, output or matrix; empty if the caller may not see it. */
const PORT_SENTENCES: Readonly<Record<PortUse, Translation>> = {
  http: ['Console (HTTP)', '控制台（HTTP）'],
  https: ['Console (HTTPS)', '控制台（HTTPS）'],
  link: ['Device registration', '设备注册'],
  files: ['HLS and downloads', 'HLS 与下载'],
  srt: ['SRT', 'SRT'],
  rtmp: ['RTMP', 'RTMP'],
  forward: ['Port forward or device page', '端口转发或设备页面'],
  panel: ['Router panel {0}', '路由面板 {0}'],
  input: ['Input {0}', '输入 {0}'],
  output: ['Output {0}', '输出 {0}'],
  ndi: ['NDI sources of the hub', '中控的 NDI 源'],
  'ndi-input': ['NDI inputs of the hub', '中控的 NDI 输入'],
  'ndi-server': ['NDI discovery server', 'NDI 发现服务器'],
  mdns: ['NDI discovery (mDNS)', 'NDI 发现（mDNS）']
}

/** What the hub uses a port for. */
export const portUseText = (language: Language, use: PortUse, name: string): string =>
  translate(language, PORT_SENTENCES[use], [name]).trim()
