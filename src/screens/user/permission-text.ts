// Names and descriptions of the permissions that a user group can have.
import {
  ALL_PERMISSIONS,
  FIRMWARE_PERMISSIONS,
  hasAnyBit,
  PERMISSION_BITS
} from '../../../contract/access/permissions.ts'
import { transport } from '../../link/fetch-json.ts'
import { locale, type Translation, t } from '../../text/language.ts'
import { TEXT } from './text.ts'

/** The name of each permission in the order of the bits, with a hint if the name is not clear by itself. */
const PERMISSION_TEXTS: readonly (readonly [name: Translation, meaning?: Translation])[] = [
  [['Firmware view', '查看固件']],
  [['Firmware management', '管理固件']],
  [['Device view', '查看设备']],
  [['Device control', '控制设备']],
  [
    ['Advanced device control', '高级设备控制'],
    ['Accept, reject and delete', '接受、拒绝和删除']
  ],
  [
    ['Device security', '设备安全'],
    ['Set who can see a device', '设置设备的可见范围']
  ],
  [['Device group view', '查看设备组']],
  [
    ['Device group control', '控制设备组'],
    ['Add, edit and delete, move devices, set who can see them', '添加、编辑和删除，移动设备，设置可见范围']
  ],
  [['Input/output view', '查看输入/输出']],
  [['Input/output edit', '编辑输入/输出']],
  [['Channel view', '查看频道']],
  [
    ['Channel control', '控制频道'],
    ['Start and stop', '启动和停止']
  ],
  [
    ['Channel edit', '编辑频道'],
    ['Add, edit and delete', '添加、编辑和删除']
  ],
  [
    ['User control', '用户控制'],
    [
      'Add, edit, move and delete users and groups that have no more permissions than the manager, set their passwords, end their sessions. Users and groups of administrators stay with the Admin account',
      '添加、编辑、移动和删除权限不超出自身的用户和用户组，设置其密码，结束其会话。管理员及管理员组仍仅由管理员账户管理'
    ]
  ],
  [['System view', '查看系统设置']],
  [['System edit', '编辑系统设置']],
  [['NDI view', '查看 NDI']],
  [['NDI edit', '编辑 NDI']]
]

/** Sections of the permission editor. */
export const SECTIONS: readonly { title: Translation; permissions: number }[] = [
  { title: ['Devices', '设备'], permissions: 0x000fc },
  { title: ['Streaming', '流媒体'], permissions: 0x01f00 },
  { title: ['NDI', 'NDI'], permissions: 0x30000 },
  { title: ['Firmware', '固件'], permissions: FIRMWARE_PERMISSIONS },
  { title: ['System', '系统'], permissions: 0x0e000 }
]

const textsOf = (bit: number) => PERMISSION_TEXTS[Math.log2(bit)] as (typeof PERMISSION_TEXTS)[number]

export const permissionName = (bit: number) => t(textsOf(bit)[0])
export function permissionHint(bit: number): string | undefined {
  const [, meaning] = textsOf(bit)
  return meaning === undefined ? undefined : t(meaning)
}

/** The permission bits in a mask that are shown, in the order of the bits: the cloud has no firmware. */
export function permissionsIn(mask: number): number[] {
  const hidden = transport.cloudCalls ? FIRMWARE_PERMISSIONS : 0
  return PERMISSION_BITS.filter((bit) => hasAnyBit(mask, bit) && !hasAnyBit(hidden, bit))
}

/** The names of the permissions in a mask, as a list. */
export function permissionNames(mask: number): string {
  return new Intl.ListFormat(locale(), { style: 'narrow' }).format(permissionsIn(mask).map(permissionName))
}

/** Short text for the permissions of a group. */
export function permissionSummary(mask: number): string {
  return mask === ALL_PERMISSIONS ? t(TEXT.allRights) : permissionNames(mask)
}
