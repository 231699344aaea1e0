// Sentences for console updates: slots and their use, and why an update was refused or rolled back.
import { SLOT_LABELS, USE_LABELS } from '../../contract/text/update-labels.ts'
import type { StoredConsole, UpdateFault, UpdateRefusal } from '../../contract/update.ts'
import { type Language, type Translation, translate } from './language.ts'

const FAULTS: Readonly<Record<UpdateFault, readonly [what: Translation, next?: Translation]>> = {
  'cut-short': [
    ['The update is incomplete', '更新文件不完整'],
    ['Download it again, then upload it again.', '请重新下载并上传。']
  ],
  'not-a-pack': [
    ['The file is not a console update', '该文件不是控制台更新'],
    ['Choose the file that ends with .update.', '请选择以 .update 结尾的文件。']
  ],
  'wrong-key': [
    ['The update is signed with a key that this hub does not trust', '更新由本中控不信任的密钥签名'],
    [
      'Ask its publisher, or ask whoever installed the hub to add the key.',
      '请联系发布者，或请中控的安装人员添加该密钥。'
    ]
  ],
  development: [
    [
      'The update is signed with the public development key, which this hub does not trust',
      '更新由公开的开发密钥签名，本中控不信任'
    ],
    ['Use an update that its publisher has signed with a key of their own.', '请使用由发布者以自有密钥签名的更新。']
  ],
  tampered: [
    ['The update was changed after it was signed', '更新在签名后被修改'],
    ['Download it again from its publisher.', '请从发布者处重新下载。']
  ],
  format: [
    ['The update has a format that this hub does not support', '本中控无法识别此更新的格式'],
    ['Update the hub first.', '请先更新中控。']
  ],
  'over-budget': [
    [
      'The console is too large: {part} has {is} bytes, the limit is {limit}',
      '控制台过大：{part} 为 {is} 字节，上限 {limit}'
    ]
  ],
  tool: [
    ['Updates cannot be unpacked: unsquashfs is missing', '无法解包更新：缺少 unsquashfs'],
    ['Install it on the hub: apt-get install squashfs-tools', '请在中控上安装：apt-get install squashfs-tools']
  ],
  'no-keys': [
    ['Updates are not possible: no signing key is trusted', '无法更新：未信任任何签名密钥'],
    [
      'Ask whoever installed the hub to add the key of the publisher of updates.',
      '请中控的安装人员添加更新发布者的密钥。'
    ]
  ],
  unconfirmed: [
    ['No browser confirmed in time that the new console works', '没有浏览器及时确认新控制台运行正常'],
    ['The previous console was restored.', '已回退到之前的控制台。']
  ],
  interrupted: [
    ['The hub stopped before the new console was confirmed', '新控制台确认之前，中控已停止'],
    ['The previous console was restored.', '已回退到之前的控制台。']
  ],
  damaged: [
    ['The files of the console do not match their signature', '控制台文件与签名不符'],
    ['Another console is in use. Install it again.', '已改用其他控制台，请重新安装。']
  ]
}

/** Lines for a fault: the problem, then the next steps. */
export function updateFaultLines(language: Language, fault: UpdateFault, numbers: UpdateRefusal = {}): string[] {
  const { part = '', is = 0, limit = 0 } = numbers
  return FAULTS[fault].map((line) => translate(language, line as Translation, { part, is, limit }))
}

/** The problem, for log entries; an unknown fault is returned unchanged. */
export function updateFaultText(language: Language, fault: string): string {
  return Object.hasOwn(FAULTS, fault) ? (updateFaultLines(language, fault as UpdateFault)[0] ?? '') : fault
}

/** Adds `place`, `tone` and `text` to a console. */
export function describeConsole(language: Language, held: StoredConsole): StoredConsole {
  const [tone, text] = USE_LABELS[held.use]
  return {
    ...held,
    place: translate(language, SLOT_LABELS[held.slot]),
    tone,
    text: translate(language, text, [held.left ?? 0])
  }
}
