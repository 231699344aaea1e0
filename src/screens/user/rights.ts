// The rights a group can hold, as they are shown: what each is called, and what it allows (specification 6).
import { ALL_PERMISSIONS, FIRMWARE_RIGHTS, holds, PERMISSION_BITS } from '../../../contract/permissions.ts'
import { door } from '../../link/fetch-json.ts'
import { locale, type Pair, t } from '../../text/language.ts'
import { TEXT } from './text.ts'

/** The name of each right, in the order of the bits, and what it allows where the name does not say it. */
const WORDS: readonly (readonly [name: Pair, meaning?: Pair])[] = [
  [['Firmware view', '查看固件']],
  [['Firmware management', '管理固件']],
  [['Device view', '查看设备']],
  [['Device control', '控制设备']],
  [
    ['Advanced device control', '高级设备控制'],
    ['Approve, reject and delete', '批准、拒绝和删除']
  ],
  [
    ['Device security', '设备安全'],
    ['Say who sees a device', '设置设备的可见范围']
  ],
  [['Device group view', '查看设备组']],
  [
    ['Device group control', '控制设备组'],
    ['Add, edit and delete', '添加、编辑和删除']
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
  [['User control', '用户控制']],
  [['System view', '查看系统设置']],
  [['System edit', '编辑系统设置']],
  [['NDI view', '查看 NDI']],
  [['NDI edit', '编辑 NDI']]
]

/** Which rights stand together. */
export const SECTIONS: readonly { title: Pair; rights: number }[] = [
  { title: ['Devices', '设备'], rights: 0x000fc },
  { title: ['Streaming', '流媒体'], rights: 0x01f00 },
  { title: ['NDI', 'NDI'], rights: 0x30000 },
  { title: ['Firmware', '固件'], rights: FIRMWARE_RIGHTS },
  { title: ['System', '系统'], rights: 0x0e000 }
]

const words = (bit: number) => WORDS[Math.log2(bit)] as (typeof WORDS)[number]

export const rightName = (bit: number) => t(words(bit)[0])
export function rightMeaning(bit: number): string | undefined {
  const [, meaning] = words(bit)
  return meaning === undefined ? undefined : t(meaning)
}

/** The rights of a mask that this variant of the hub shows, in the order of the bits. */
export function rightsIn(mask: number): number[] {
  const hidden = door.hub === undefined ? 0 : FIRMWARE_RIGHTS
  return PERMISSION_BITS.filter((bit) => holds(mask, bit) && !holds(hidden, bit))
}

/** The names of rights, one after the other. */
export function listRights(mask: number): string {
  return new Intl.ListFormat(locale(), { style: 'narrow' }).format(rightsIn(mask).map(rightName))
}

/** What a group may do, in short. */
export function inShort(mask: number): string {
  return mask === ALL_PERMISSIONS ? t(TEXT.allRights) : listRights(mask)
}
