// Sentences for console updates: slots and their use, and why an update was refused or rolled back.
import { SLOT_LABELS, USE_LABELS } from '../../contract/text/update-labels.ts'
import type {
  ReleaseRollback,
  StoredConsole,
  StoredRelease,
  UpdateFault,
  UpdateRefusal
} from '../../contract/update.ts'
import { type Language, type Translation, translate } from './language.ts'

const FAULTS: Readonly<Record<UpdateFault, readonly [what: Translation, next?: Translation]>> = {
  'cut-short': [
    ['The update is incomplete', '更新文件不完整'],
    ['Download it again, then upload it again.', '请重新下载并上传。']
  ],
  'not-a-pack': [
    ['The file is not an update of Headend', '该文件不是 Headend 更新'],
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
  architecture: [
    ['The update is for another processor', '该更新适用于其他处理器'],
    ['Choose the file for the processor of this hub.', '请选择适用于本中控处理器的文件。']
  ],
  hardware: [
    ['The update is for another model', '该更新适用于其他型号'],
    ['Choose the file for the model of this hub.', '请选择适用于本中控型号的文件。']
  ],
  'no-releases': [
    [
      'This hub was not installed as a package, so only its console can be updated here',
      '本中控不是以软件包安装的，此处只能更新控制台'
    ],
    [
      'Install the Debian package, or update the hub as it was installed.',
      '请安装 Debian 软件包，或按原安装方式更新中控。'
    ]
  ],
  service: [
    ['The update service of the machine could not install the release', '本机的更新服务无法安装该版本'],
    ['Its log says why: journalctl -u headend-updater', '其日志说明了原因：journalctl -u headend-updater']
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

const ON_TRIAL: Translation = [
  'This release of the hub is on trial. Changes are possible again in {0} s at most',
  '此中控版本正在试运行，最多 {0} 秒后可再次更改'
]

/** Why changes are refused during the trial of a release. */
export const trialText = (language: Language, seconds: number): string => translate(language, ON_TRIAL, [seconds])

const CHECKS: Readonly<Record<ReleaseRollback['check'], Translation>> = {
  process: ['It did not keep running', '未能持续运行'],
  answer: ['It did not answer requests', '未响应请求'],
  channels: ['Channels that were on air did not carry a stream again', '原先播出的频道未恢复传输'],
  activation: ['The update service could not activate it', '更新服务未能启用该版本']
}

/** Why the hub went back to the release before. */
export const rollbackText = (language: Language, check: ReleaseRollback['check']): string =>
  translate(language, CHECKS[check])

/** `tone` and `text` for the use of a console or a release. */
function describeUse(language: Language, { use, left = 0 }: Pick<StoredRelease, 'use' | 'left'>) {
  const [tone, text] = USE_LABELS[use]
  return { tone, text: translate(language, text, [left]) }
}

/** Adds `tone` and `text` to a release. */
export const describeRelease = (language: Language, release: StoredRelease): StoredRelease => ({
  ...release,
  ...describeUse(language, release)
})

/** The problem, for log entries; an unknown fault is returned unchanged. */
export function updateFaultText(language: Language, fault: string): string {
  return Object.hasOwn(FAULTS, fault) ? (updateFaultLines(language, fault as UpdateFault)[0] ?? '') : fault
}

/** Adds `place`, `tone` and `text` to a console. */
export function describeConsole(language: Language, held: StoredConsole): StoredConsole {
  return { ...held, place: translate(language, SLOT_LABELS[held.slot]), ...describeUse(language, held) }
}
