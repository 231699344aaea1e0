import { LICENSE_PERMISSION, type LicenseLimits, type LicenseReason } from '../../../contract/license/license.ts'
import type { Translation } from '../../text/language.ts'

export const TEXT = {
  license: ['License', '许可证'],
  state: ['State', '状态'],
  title: ['License title', '许可证名称'],
  serial: ['Serial number', '序列号'],
  serialHint: ['Digits and the letters A to F', '数字和字母 A 至 F'],
  activated: ['License {0} activated', '已激活许可证 {0}'],
  machine: ['This machine', '本机标识'],
  licensedMachine: ['Licensed machine', '许可证对应的机器'],
  issued: ['Issued', '签发时间'],
  expires: ['Expires', '到期时间'],
  supportEnd: ['Maintenance support until', '维护支持截止'],
  checked: ['Last check with the license server', '上次与许可证服务器核对'],
  permissions: ['Permissions', '权限'],
  serverSilent: [
    'The license server is not responding. The license stays in force until {0}. Check the network of the hub.',
    '许可证服务器没有响应，许可证在 {0} 之前仍然有效。请检查中控的网络。'
  ],
  never: ['Never', '永不'],
  limits: ['Limits', '限额'],
  used: ['Used', '已使用'],
  allowed: ['Allowed', '允许'],
  limit: ['Limit', '限额项'],
  unlimited: ['Unlimited', '不限'],
  activate: ['Activate {0}', '激活{0}'],
  deactivate: ['Deactivate {0}', '取消激活{0}'],
  upload: ['Add license file', '添加许可证文件'],
  server: ['License server', '许可证服务器'],
  noServer: [
    'No license server is configured on this hub. Use a license file.',
    '此中控未配置许可证服务器，请使用许可证文件。'
  ],
  deactivateNote: [
    'The built-in limits apply then. Running channels continue. Only the issuer can free the license for another machine.',
    '之后将使用内置限额，运行中的频道不受影响。只有颁发方可将该许可证用于其他机器。'
  ],
  transferNote: [
    'The built-in limits apply then. Running channels continue. Another hub can activate the license.',
    '之后将使用内置限额。运行中的频道不受影响，其他中控可激活该许可证。'
  ],
  continues: ['Running channels and accepted devices continue.', '运行中的频道和已接受的设备不受影响。'],
  serverAway: [
    'The license server is not responding. Check the network of the hub.',
    '许可证服务器没有响应，请检查中控的网络。'
  ]
} as const satisfies Record<string, Translation>

/** Permissions of a licence, in the order of their bits. */
export const PERMISSION_TEXTS: readonly (readonly [bit: number, text: Translation])[] = [
  [LICENSE_PERMISSION.file, ['Use without license server', '无需许可证服务器']],
  [LICENSE_PERMISSION.transfer, ['Move to another machine', '可转移到其他机器']]
]

/** Why a licence is not in force, and what to do. */
export const REASON_SENTENCES: Readonly<Record<LicenseReason, Translation>> = {
  copied: [
    'The license belongs to another machine. Activate it here, or request a file for this machine.',
    '该许可证属于另一台机器。请在此激活，或为本机申请许可证文件。'
  ],
  'clock-set-back': [
    'The clock of the hub was set back. Set the correct time.',
    '中控的时钟被调回。请设置正确的时间。'
  ],
  'server-away': [
    'The license server has not responded for 30 days. Check the network of the hub.',
    '许可证服务器已 30 天没有响应，请检查中控的网络。'
  ]
}

/** What happens at each limit, in the order of the page. */
export const AT_LIMIT: Readonly<Record<keyof LicenseLimits, Translation>> = {
  'max-srt-count': ['At the limit, no further SRT listener can be started.', '达到上限后无法再启动 SRT 监听。'],
  'max-channel-count': ['At the limit, no further channel can be added.', '达到上限后无法再添加频道。'],
  'max-live-count': ['At the limit, no further channel can be started.', '达到上限后无法再启动频道。'],
  'max-output-count': ['At the limit, no further output can be started.', '达到上限后无法再启动输出。'],
  'max-dev-count': ['At the limit, further devices wait for approval.', '达到上限后，其他设备将等待审批。']
}
