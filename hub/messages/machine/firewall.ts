// Sentences about the firewall of the machine.
import {
  FIREWALL_MODE,
  type FirewallMode,
  type FirewallUndoReason
} from '../../../contract/machine/firewall/firewall.ts'
import { type Language, type Translation, translate } from '../language.ts'

const UNDO_SENTENCES: Readonly<Record<FirewallUndoReason, Translation>> = {
  'not-confirmed': ['Not confirmed in time', '未及时确认'],
  cancelled: ['By a user', '由用户撤销'],
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
  [FIREWALL_MODE.shut]: ['All ports shut', '关闭所有端口'],
  [FIREWALL_MODE.open]: ['All ports open', '开放所有端口']
}

export const firewallModeText = (language: Language, mode: FirewallMode): string =>
  translate(language, MODE_SENTENCES[mode])
