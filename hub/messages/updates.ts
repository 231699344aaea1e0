// Updates of the console in words: where consoles are and how they are used, and why one is not taken, or did not stay.
import type { Standing } from '../../contract/device/device.ts'
import type { ConsoleHeld, ConsoleUse, UpdateFault, UpdateRefused } from '../../contract/update.ts'
import { type Language, type Pair, say } from './language.ts'

const FAULTS: Readonly<Record<UpdateFault, readonly [what: Pair, next?: Pair]>> = {
  'cut-short': [
    ['The update is incomplete', '更新文件不完整'],
    ['Fetch it again, then upload it again.', '请重新获取并上传。']
  ],
  'not-a-pack': [
    ['The file is no update of the console', '该文件不是控制台更新'],
    ['Choose the file that ends with .update.', '请选择以 .update 结尾的文件。']
  ],
  'wrong-key': [
    ['The update is signed by a key that this hub does not trust', '更新由本中枢不信任的密钥签名'],
    ['Ask who made it, or name its public key in PUBLIC_KEY.', '请联系制作者，或在 PUBLIC_KEY 中指定其公钥。']
  ],
  development: [
    [
      'The update is signed by the development key, which everybody has: this hub does not trust it',
      '更新由人人持有的开发密钥签名，本中枢不信任'
    ],
    ['Sign it with SIGNING_KEY.', '请使用 SIGNING_KEY 签名。']
  ],
  tampered: [
    ['The update was changed after it was signed', '更新在签名后被修改'],
    ['Fetch it again from where it was made.', '请从制作处重新获取。']
  ],
  format: [
    ['The update has a form that this hub does not know', '本中枢无法识别此更新的格式'],
    ['Update the hub first.', '请先更新中枢。']
  ],
  'over-budget': [
    [
      'The console is too large: {part} has {is} bytes, {limit} are allowed',
      '控制台过大：{part} 为 {is} 字节，上限 {limit}'
    ]
  ],
  tool: [
    ['The hub cannot unpack updates: unsquashfs is missing', '中枢无法解包更新：缺少 unsquashfs'],
    ['Install it on the hub: apt-get install squashfs-tools', '请在中枢上安装：apt-get install squashfs-tools']
  ],
  'no-keys': [
    ['The hub takes no updates, since it trusts no key', '中枢未信任任何密钥，无法更新'],
    ['Name public keys in PUBLIC_KEY when it is started.', '请在启动时用 PUBLIC_KEY 指定公钥。']
  ],
  unconfirmed: [
    ['No browser confirmed in time that the new console works', '没有浏览器及时确认新控制台运行正常'],
    ['The console before is back.', '已回退到之前的控制台。']
  ],
  interrupted: [
    ['The hub stopped before the new console had confirmed that it works', '新控制台确认运行正常之前，中枢已停止'],
    ['The console before is back.', '已回退到之前的控制台。']
  ],
  damaged: [
    ['The files of the console are no longer what was signed', '控制台文件与签名不符'],
    ['Another console is in use. Install it again.', '已改用其他控制台，请重新安装。']
  ]
}

/** What happened, and what to do next, each for a line of its own. */
export function updateFaultLines(language: Language, fault: UpdateFault, numbers: UpdateRefused = {}): string[] {
  const { part = '', is = 0, limit = 0 } = numbers
  return FAULTS[fault].map((line) => say(language, line as Pair, { part, is, limit }))
}

/** What happened, as a log has it; the word itself for one that nobody knows. */
export function updateFaultWord(language: Language, fault: string): string {
  return Object.hasOwn(FAULTS, fault) ? (updateFaultLines(language, fault as UpdateFault)[0] ?? '') : fault
}

const PLACES: Readonly<Record<ConsoleHeld['slot'], Pair>> = {
  'built-in': ['Built-in', '内置'],
  a: ['Slot A', '槽位 A'],
  b: ['Slot B', '槽位 B'],
  uploaded: ['New', '新上传']
}

const KEPT = ['off', ['Kept', '备用']] as const
const USES: Readonly<Record<ConsoleUse, readonly [tone: Standing['tone'], text: Pair]>> = {
  ready: ['good', ['Verified', '已校验']],
  active: ['good', ['In use', '使用中']],
  trial: ['busy', ['On trial for {0} s', '试运行，剩余 {0} 秒']],
  former: KEPT,
  kept: KEPT
}

/** A console with where it is and how it is used in words. */
export function consoleInWords(language: Language, held: ConsoleHeld): ConsoleHeld {
  const [tone, text] = USES[held.use]
  return { ...held, place: say(language, PLACES[held.slot]), tone, text: say(language, text, [held.left ?? 0]) }
}
