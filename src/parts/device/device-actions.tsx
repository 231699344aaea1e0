// Actions on devices: for rows, tiles, the selection toolbar, and the page of a device.
import type { Call, Envelope } from '../../../contract/call.ts'
import { setCatalog } from '../../../contract/catalog.ts'
import { CLIENT_OFFLINE, STATE_CHANGED, SUCCESS } from '../../../contract/codes.ts'
import {
  type ActionResult,
  type ActionResults,
  rebootDevices,
  renameDevice,
  startLive,
  startRecording,
  stopLive,
  stopRecording
} from '../../../contract/device/action.ts'
import { setDeviceAddress } from '../../../contract/device/address.ts'
import {
  acceptDevices,
  configureDevices,
  type Device,
  deleteDevices,
  listDevicesBySerial,
  queryDevice,
  rejectDevices,
  type SerialResults,
  type SerialsRequest,
  setDeviceSecurity,
  setFavorite
} from '../../../contract/device/device.ts'
import {
  canRecordAndStream,
  deviceNameRule,
  hasConnectionConfig,
  isInteractive
} from '../../../contract/device/families.ts'
import { swapDevices } from '../../../contract/device/swap.ts'
import { startRollout } from '../../../contract/rollout.ts'
import { replaceInput } from '../../../contract/stream/channel.ts'
import { DIR_INPUT } from '../../../contract/stream/protocols.ts'
import { send } from '../../link/send.ts'
import { isRecording, isStreaming } from '../../other-hubs.ts'
import { linkTo } from '../../paths.ts'
import { sendDevicesTo } from '../../state/catalogs.ts'
import { type FailureOptions, sendMutation, undoIfUnchanged } from '../../state/mutations.ts'
import { $otherHub } from '../../state/other-hub.ts'
import { codeText } from '../../text/codes.ts'
import { type Translation, t } from '../../text/language.ts'
import * as OUTCOME from '../../text/outcomes.ts'
import * as RECORDING_TEXT from '../../text/recording.ts'
import { openDialog } from '../../ui/dialog/dialog-host.tsx'
import type { IconName } from '../../ui/icon.tsx'
import { lazyDialog } from '../../ui/lazy/lazy.tsx'
import { openAccess } from '../access/open-access.ts'
import * as ACCESS_TEXT from '../access/text.ts'
import { type Action, verbText } from '../actions.tsx'
import { mutateDevice, runBulk } from '../bulk-action.ts'
import type { BulkJob, BulkReply } from '../bulk-run.ts'
import { limitReason } from '../license-limits.ts'
import { tagAction } from '../tag/tag-action.ts'
import { MoveDialog, openNameDialog } from './device-dialogs.tsx'
import { deviceLink } from './device-link.ts'

const AddressDialog = lazyDialog(() => import('./address-dialog.tsx').then((module) => module.AddressDialog))
const ConnectionDialog = lazyDialog(() => import('./connection-dialog.tsx').then((module) => module.ConnectionDialog))
const ReplaceDialog = lazyDialog(() => import('./replace-dialog.tsx').then((module) => module.ReplaceDialog))
const SwapDialog = lazyDialog(() => import('./replace-dialog.tsx').then((module) => module.SwapDialog))
const UpgradeDialog = lazyDialog(() => import('./upgrade-dialog.tsx').then((module) => module.UpgradeDialog))

const TEXT = {
  deviceCount: ['{0} devices', '{0} 台设备'],
  accept: ['Accept {0}', '接受 {0}'],
  accepted: ['{0} accepted. Now listed under All devices.', '已接受 {0}，现已列入全部设备。'],
  reject: ['Reject {0}', '拒绝 {0}'],
  rejectText: ['Rejected devices can be accepted later.', '之后仍可接受被拒绝的设备。'],
  remove: ['Delete {0}', '删除 {0}'],
  removeText: ['Channels that use it lose their input.', '使用它的频道将失去输入。'],
  canReturn: ['It can register again.', '设备可重新注册。'],
  reboot: ['Reboot {0}', '重启 {0}'],
  rebootText: ['Recordings and streams are interrupted.', '正在进行的录制和推流会中断。'],
  rename: ['Rename {0}', '重命名 {0}'],
  move: ['Move to group', '移动到组'],
  favorite: ['Add to favorites', '加入收藏'],
  unfavorite: ['Remove from favorites', '取消收藏'],
  address: ['Address', '地址'],
  trust: ['Trust new certificate', '信任新证书'],
  newCertificate: [
    'The certificate of {0} has changed, and nothing is sent to it.',
    '{0} 的证书已变更，已停止向其发送请求。'
  ],
  trustText: [
    '{0}\nTrusted: {1}\nNow: {2}\nTrust it only if you know why it changed.',
    '{0}\n已信任：{1}\n当前：{2}\n仅在了解变更原因时才信任。'
  ],
  connection: ['Connection', '连接配置'],
  replace: ['Replace in channels', '在频道中更换'],
  swap: ['Swap', '对调'],
  upgrade: ['Update firmware', '更新固件'],
  startLive: ['Start streaming', '开始推流'],
  stopLive: ['Stop streaming', '停止推流']
} as const satisfies Record<string, Translation>

/** Label for several devices. */
export const DEVICE_COUNT: Translation = TEXT.deviceCount

export const deviceName = ({ name }: Device) => name

/** Devices in one call of a command that the hub forwards to each device. */
const COMMAND_BATCH_SIZE = 20

type DeviceCall = Call<SerialsRequest, SerialResults | ActionResults>

/** Makes a call for devices; at another hub through the relay to each of them. */
function sendToDevices<Request extends { sn: string | string[] }>(
  call: Call<Request, SerialResults | ActionResults>,
  request: Request,
  devices: readonly Device[]
): Promise<BulkReply> {
  const otherHub = $otherHub.get()
  return otherHub ? otherHub.sendToDevices(call, request, devices) : send(call, request)
}

/** Why a command cannot be sent to a device: it is offline. For several devices, the result shows the offline ones. */
export function offlineReason([device, ...others]: readonly Device[]): string | undefined {
  if (device?.['online-date'] !== 0 || others.length > 0) return undefined
  const { name, at } = device
  return at?.['new-cert-sha256'] ? t(TEXT.newCertificate, name) : codeText(at?.trouble ?? CLIENT_OFFLINE)
}

function bulkAction(
  call: DeviceCall,
  outcome: Translation,
  options: Omit<Action<Device>, 'call' | 'run'>,
  { batchSize, listPath }: Pick<BulkJob, 'batchSize' | 'listPath'> = {}
): Action<Device> {
  return {
    ...options,
    call,
    run: (devices) =>
      runBulk({
        title: verbText(options.verb),
        devices,
        outcome,
        isRemoval: options.kind === 'danger',
        sendBatch: (sn, force) => sendToDevices(call, { sn, ...force }, devices),
        batchSize,
        listPath
      })
  }
}

/** A command that the hub forwards to the device. */
const deviceCommand = (
  call: DeviceCall,
  outcome: Translation,
  options: Omit<Action<Device>, 'call' | 'run' | 'disabledReason'>
): Action<Device> =>
  bulkAction(call, outcome, { disabledReason: offlineReason, ...options }, { batchSize: COMMAND_BATCH_SIZE })

/** A command that starts or stops an activity. @param isPossible whether the activity is in the state for it */
const toggleCommand = (
  call: DeviceCall,
  icon: IconName,
  verb: Translation,
  outcome: Translation,
  isPossible: (device: Device) => boolean
): Action<Device> =>
  deviceCommand(call, outcome, {
    icon,
    verb,
    isApplicable: (device) => canRecordAndStream(device) && isPossible(device)
  })

export const ACCEPT = bulkAction(
  acceptDevices,
  TEXT.accepted,
  {
    icon: 'check',
    verb: TEXT.accept,
    kind: 'main',
    disabledReason: () => limitReason('max-dev-count')
  },
  { listPath: linkTo('allDevices') }
)
export const REJECT = bulkAction(rejectDevices, OUTCOME.rejected, {
  icon: 'close',
  verb: TEXT.reject,
  confirmText: () => t(TEXT.rejectText)
})
export const REMOVE = bulkAction(deleteDevices, OUTCOME.deleted, {
  icon: 'delete',
  verb: TEXT.remove,
  kind: 'danger',
  // The hub itself connects to a device at an address.
  confirmText: (devices) =>
    [t(TEXT.removeText), ...(devices.every(({ at }) => at) ? [] : [t(TEXT.canReturn)])].join(' ')
})

/** Moves devices to a group; 0 = out of their group. */
export function moveDevices(devices: readonly Device[], catalog: number): Promise<boolean> {
  const sendBatch = (sn: string[]) => sendDevicesTo(catalog, sn)
  const undo = () => moveBack(devices, catalog)
  return runBulk({ title: t(TEXT.move), devices, outcome: OUTCOME.moved, sendBatch, undo })
}

/**
 * Moves devices to the groups in which they were. Those that another user has moved meanwhile stay, and are reported.
 * @param catalog id of the group in which they are now
 */
function moveBack(devices: readonly Device[], catalog: number): Promise<boolean> {
  const groupOf = new Map(devices.map((device) => [device.sn, device['catalog-id']]))
  const sendBatch = async (serials: string[]): Promise<BulkReply> => {
    const { list, ...reply } = await send(listDevicesBySerial, { sn: serials })
    if (reply.result !== SUCCESS) return reply
    const results = new Map<string, ActionResult>(serials.map((sn) => [sn, { sn, result: STATE_CHANGED }]))
    const unchanged = list.filter((device) => device['catalog-id'] === catalog).map(({ sn }) => sn)
    for (const [id, members] of Map.groupBy(unchanged, (sn) => groupOf.get(sn) ?? 0)) {
      const moved = await sendDevicesTo(id, members)
      for (const sn of members) results.set(sn, { ...moved, sn })
    }
    const details = [...results.values()]
    return { ...reply, result: details.find(({ result }) => result !== SUCCESS)?.result ?? SUCCESS, details }
  }
  return runBulk({ title: t(TEXT.move), devices, outcome: OUTCOME.moved, sendBatch })
}

export const MOVE: Action<Device> = {
  call: setCatalog,
  icon: 'group',
  verb: TEXT.move,
  run: (devices) => openDialog(MoveDialog, { devices, move: (catalog) => moveDevices(devices, catalog) })
}

function favorite(isFavorite: boolean): Action<Device> {
  const verb = isFavorite ? TEXT.favorite : TEXT.unfavorite
  const job = (devices: readonly Device[], value: boolean): BulkJob => ({
    title: t(verb),
    devices,
    outcome: OUTCOME.saved,
    sendBatch: (sn, force) => send(setFavorite, { sn, favorite: value, ...force })
  })
  return {
    call: setFavorite,
    icon: 'star',
    verb,
    isApplicable: (device) => (device['is-favorite'] === 0) === isFavorite,
    run: (devices) => runBulk({ ...job(devices, isFavorite), undo: () => runBulk(job(devices, !isFavorite)) })
  }
}
export const FAVORITE = favorite(true)
export const UNFAVORITE = favorite(false)

/** @param previous the name before, with which the user can undo it */
const rename = (device: Device, name: string, options?: FailureOptions, previous?: string): Promise<Envelope> =>
  mutateDevice(() => sendToDevices(renameDevice, { sn: device.sn, name }, [device]), {
    ...options,
    success: {
      text: OUTCOME.saved,
      names: [name],
      path: deviceLink(device),
      ...(previous !== undefined && {
        undo: undoIfUnchanged(
          () => send(queryDevice, { sn: device.sn }),
          // The hub has the name once the device has reported it.
          ({ dev }) => dev.name === name || dev.name === previous,
          () => rename(device, previous)
        )
      })
    }
  })

const RENAME: Action<Device> = {
  call: renameDevice,
  icon: 'edit',
  verb: TEXT.rename,
  single: true,
  isApplicable: isInteractive,
  disabledReason: offlineReason,
  run: async ([device]) =>
    device !== undefined &&
    openNameDialog({
      title: t(TEXT.rename, device.name),
      name: device.name,
      rule: deviceNameRule(device),
      save: (name, options) => rename(device, name, options, device.name)
    })
}

const ACCESS: Action<Device> = {
  call: setDeviceSecurity,
  icon: 'key',
  verb: ACCESS_TEXT.access,
  run: (devices) => openAccess({ of: 'device', objects: devices })
}

export const CONNECTION: Action<Device> = {
  call: configureDevices,
  icon: 'settings',
  verb: TEXT.connection,
  isApplicable: hasConnectionConfig,
  run: (devices) => openDialog(ConnectionDialog, { devices })
}

export const UPGRADE: Action<Device> = {
  call: startRollout,
  icon: 'firmware',
  verb: TEXT.upgrade,
  isApplicable: isInteractive,
  disabledReason: offlineReason,
  run: (devices) => openDialog(UpgradeDialog, { devices })
}

export const REBOOT = deviceCommand(rebootDevices, OUTCOME.rebooting, {
  icon: 'retry',
  verb: TEXT.reboot,
  confirmText: () => t(TEXT.rebootText),
  isApplicable: isInteractive
})

const REPLACE: Action<Device> = {
  call: replaceInput,
  icon: 'input',
  verb: TEXT.replace,
  single: true,
  isApplicable: ({ dir }) => (dir & DIR_INPUT) !== 0,
  run: async ([device]) => device !== undefined && openDialog(ReplaceDialog, { device })
}

const SWAP: Action<Device> = {
  call: swapDevices,
  icon: 'devices',
  verb: TEXT.swap,
  single: true,
  run: async ([device]) => device !== undefined && openDialog(SwapDialog, { device })
}

/** Edits the address and the credentials of a device that was added by its address. */
const ADDRESS: Action<Device> = {
  call: setDeviceAddress,
  icon: 'port',
  verb: TEXT.address,
  single: true,
  isApplicable: ({ at }) => at !== undefined,
  run: async ([device]) => device !== undefined && openDialog(AddressDialog, { device })
}

/** Asks whether the certificate is trusted that a device at an address has now. */
export const TRUST: Action<Device> = {
  call: setDeviceAddress,
  icon: 'certificate',
  verb: TEXT.trust,
  kind: 'danger',
  single: true,
  isApplicable: ({ at }) => at?.['new-cert-sha256'] !== undefined,
  confirmText: ([{ name, at } = {} as Device]) =>
    t(TEXT.trustText, t(TEXT.newCertificate, name), at?.['cert-sha256'] ?? '', at?.['new-cert-sha256'] ?? ''),
  run: async ([device]) =>
    device !== undefined &&
    sendMutation(
      setDeviceAddress,
      { sn: device.sn, 'cert-sha256': device.at?.['new-cert-sha256'] },
      { success: { text: OUTCOME.saved, names: [device.name], path: deviceLink(device) } }
    ).then(({ result }) => result === SUCCESS)
}

/** The actions on accepted devices, in the order of the menu. */
export const DEVICE_ACTIONS: readonly Action<Device>[] = [
  FAVORITE,
  UNFAVORITE,
  toggleCommand(
    startRecording,
    'record',
    RECORDING_TEXT.startRecording,
    OUTCOME.recordingStarted,
    (device) => !isRecording(device)
  ),
  toggleCommand(stopRecording, 'stop', RECORDING_TEXT.stopRecording, OUTCOME.recordingStopped, isRecording),
  toggleCommand(startLive, 'play', TEXT.startLive, OUTCOME.liveStarted, (device) => !isStreaming(device)),
  toggleCommand(stopLive, 'stop', TEXT.stopLive, OUTCOME.liveStopped, isStreaming),
  RENAME,
  MOVE,
  tagAction('device'),
  ACCESS,
  CONNECTION,
  ADDRESS,
  TRUST,
  REPLACE,
  SWAP,
  UPGRADE,
  REBOOT,
  REMOVE
]
