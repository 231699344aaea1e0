// What can be done to devices, to one or to many: for rows, tiles, the bar of the chosen ones, and the page of one device.
import type { Call } from '../../../contract/call.ts'
import { setCatalog } from '../../../contract/catalog.ts'
import {
  type ActionResults,
  rebootDevices,
  renameDevice,
  startLive,
  startRecording,
  stopLive,
  stopRecording
} from '../../../contract/device/action.ts'
import { addDevice, setDeviceAddress } from '../../../contract/device/address.ts'
import {
  acceptDevices,
  configureDevices,
  type Device,
  type DeviceSecurity,
  deleteDevices,
  rejectDevices,
  type SerialResults,
  type Serials,
  setDeviceSecurity,
  setFavorite
} from '../../../contract/device/device.ts'
import { hasConnection, isInteractive, nameRule, recordsAndStreams } from '../../../contract/device/families.ts'
import { startRollout } from '../../../contract/firmware.ts'
import { door } from '../../link/fetch-json.ts'
import { send } from '../../link/send.ts'
import { codeText } from '../../text/codes.ts'
import { type Pair, t } from '../../text/language.ts'
import { openDialog } from '../../ui/dialog/dialog-host.tsx'
import type { IconName } from '../../ui/icon.tsx'
import { ActButton, type Action, verbOf } from '../actions.tsx'
import { actOnOne, onMany } from '../bulk-action.tsx'
import { VisibilityDialog } from '../visibility-dialog.tsx'
import { AddressDialog } from './address-dialog.tsx'
import { ConnectionDialog } from './connection-dialog.tsx'
import { askName, MoveDialog } from './device-dialogs.tsx'
import { isRecording, isStreaming } from './device-facts.tsx'
import { UpgradeDialog } from './upgrade-dialog.tsx'

const TEXT = {
  these: ['{0} devices', '{0} 台设备'],
  accept: ['Accept {0}', '接受 {0}'],
  reject: ['Reject {0}', '拒绝 {0}'],
  rejectText: ['What is rejected can still be accepted.', '被拒绝的设备之后仍可接受。'],
  remove: ['Delete {0}', '删除 {0}'],
  removeText: [
    'Channels that use it lose their input. It may register again.',
    '使用它的频道将失去输入。设备可重新注册。'
  ],
  reboot: ['Reboot {0}', '重启 {0}'],
  rebootText: ['Recordings and streams are interrupted.', '正在进行的录制和推流会中断。'],
  rename: ['Rename {0}', '重命名 {0}'],
  move: ['Move to group', '移动到组'],
  favorite: ['Add to favorites', '加入收藏'],
  unfavorite: ['Remove from favorites', '取消收藏'],
  security: ['Security', '安全设置'],
  securityOf: ['Who sees {0}', '{0}的可见范围'],
  add: ['Add device', '添加设备'],
  address: ['Address', '地址'],
  connection: ['Connection', '连接配置'],
  upgrade: ['Update firmware', '更新固件'],
  startRecording: ['Start recording', '开始录制'],
  stopRecording: ['Stop recording', '停止录制'],
  startLive: ['Start streaming', '开始推流'],
  stopLive: ['Stop streaming', '停止推流']
} as const satisfies Record<string, Pair>

/** How several of them are called. */
export const THESE_DEVICES: Pair = TEXT.these

export const deviceName = ({ name }: Device) => name

/** Devices in one call, where they are told something themselves. */
const AT_ONCE = 20

/** Result code: the device is offline. */
const OFFLINE = 10007

type DeviceCall = Call<Serials, SerialResults | ActionResults>

/** What is told to one device says nothing to one that is offline. */
export const awake = ([device, ...others]: readonly Device[]) =>
  device?.['online-date'] === 0 && others.length === 0 ? codeText(OFFLINE) : undefined

function plain(call: DeviceCall, words: Omit<Action<Device>, 'call' | 'run'>, batch?: number): Action<Device> {
  const make = (sn: string[], force: object) => send(call, { sn, ...force })
  return { ...words, call, run: (devices) => onMany({ title: verbOf(words.verb), devices, make, batch }) }
}

/** The call is told to the device itself. */
const told = (call: DeviceCall, words: Omit<Action<Device>, 'call' | 'run' | 'barred'>): Action<Device> =>
  plain(call, { barred: awake, ...words }, AT_ONCE)

/** It is told to begin something, or to end it; `is` says which of the two can be done. */
const turned = (call: DeviceCall, icon: IconName, verb: Pair, is: (device: Device) => boolean): Action<Device> =>
  told(call, { icon, verb, fits: (device) => recordsAndStreams(device) && is(device) })

export const ACCEPT = plain(acceptDevices, { icon: 'check', verb: TEXT.accept, kind: 'main' })
export const REJECT = plain(rejectDevices, {
  icon: 'close',
  verb: TEXT.reject,
  ask: () => t(TEXT.rejectText)
})
export const REMOVE = plain(deleteDevices, {
  icon: 'delete',
  verb: TEXT.remove,
  kind: 'danger',
  ask: () => t(TEXT.removeText)
})

/** Moves devices into a group; 0 = out of their groups. */
export function moveDevices(devices: readonly Device[], catalog: number): Promise<boolean> {
  const make = (sn: string[]) => send(setCatalog, { id: catalog, devices: sn })
  return onMany({ title: t(TEXT.move), devices, make })
}

export const MOVE: Action<Device> = {
  call: setCatalog,
  icon: 'group',
  verb: TEXT.move,
  run: (devices) => openDialog(MoveDialog, { devices, move: (catalog) => moveDevices(devices, catalog) })
}

function favorite(on: boolean): Action<Device> {
  const verb = on ? TEXT.favorite : TEXT.unfavorite
  const make = (sn: string[], force: object) => send(setFavorite, { sn, favorite: on, ...force })
  return {
    call: setFavorite,
    icon: 'star',
    verb,
    fits: (device) => (device['is-favorite'] === 0) === on,
    run: (devices) => onMany({ title: t(verb), devices, make })
  }
}
export const FAVORITE = favorite(true)
export const UNFAVORITE = favorite(false)

const RENAME: Action<Device> = {
  call: renameDevice,
  icon: 'edit',
  verb: TEXT.rename,
  single: true,
  fits: isInteractive,
  barred: awake,
  run: async ([device]) =>
    device !== undefined &&
    askName({
      title: t(TEXT.rename, device.name),
      name: device.name,
      rule: nameRule(device),
      save: (name, options) => actOnOne((force) => send(renameDevice, { sn: device.sn, name, ...force }), options)
    })
}

const SECURITY: Action<Device> = {
  call: setDeviceSecurity,
  icon: 'key',
  verb: TEXT.security,
  run(devices) {
    const [first] = devices
    const what = devices.length > 1 || !first ? t(TEXT.these, devices.length) : first.name
    const title = t(TEXT.securityOf, what)
    const save = (security: DeviceSecurity) =>
      onMany({ title, devices, make: (sn) => send(setDeviceSecurity, { sn, security }) })
    return openDialog(VisibilityDialog, { title, now: first ?? {}, save })
  }
}

const CONNECTION: Action<Device> = {
  call: configureDevices,
  icon: 'settings',
  verb: TEXT.connection,
  fits: hasConnection,
  run: (devices) => openDialog(ConnectionDialog, { devices })
}

const UPGRADE: Action<Device> = {
  call: startRollout,
  icon: 'input',
  verb: TEXT.upgrade,
  // There is no firmware on the cloud variant.
  fits: (device) => isInteractive(device) && door.hub === undefined,
  barred: awake,
  run: (devices) => openDialog(UpgradeDialog, { devices })
}

/** One that was added by address can be elsewhere, or be signed in to otherwise. */
const ADDRESS: Action<Device> = {
  call: setDeviceAddress,
  icon: 'output',
  verb: TEXT.address,
  single: true,
  fits: ({ at }) => at !== undefined,
  run: async ([device]) => device !== undefined && openDialog(AddressDialog, { device })
}

/** Adds a device by its address. */
export function AddDevice() {
  return <ActButton call={addDevice} icon="plus" label={t(TEXT.add)} onAct={() => openDialog(AddressDialog)} />
}

/** All that can be done to accepted devices, in the order of a menu. */
export const DEVICE_ACTIONS: readonly Action<Device>[] = [
  FAVORITE,
  UNFAVORITE,
  turned(startRecording, 'record', TEXT.startRecording, (device) => !isRecording(device)),
  turned(stopRecording, 'stop', TEXT.stopRecording, isRecording),
  turned(startLive, 'play', TEXT.startLive, (device) => !isStreaming(device)),
  turned(stopLive, 'stop', TEXT.stopLive, isStreaming),
  RENAME,
  MOVE,
  SECURITY,
  CONNECTION,
  ADDRESS,
  UPGRADE,
  told(rebootDevices, { icon: 'retry', verb: TEXT.reboot, ask: () => t(TEXT.rebootText), fits: isInteractive }),
  REMOVE
]
