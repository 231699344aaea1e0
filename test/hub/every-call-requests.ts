// Requests with which every-call.test.ts sends each declared call, besides the empty request.

import { GROUP_VIEWER } from '../../contract/access/permissions.ts'
import * as secondFactor from '../../contract/access/second-factor.ts'
import * as session from '../../contract/access/session.ts'
import * as token from '../../contract/access/token.ts'
import * as user from '../../contract/access/user.ts'
import type { Call } from '../../contract/call.ts'
import * as catalog from '../../contract/catalog.ts'
import * as deviceAction from '../../contract/device/action.ts'
import { addDevice, setDeviceAddress } from '../../contract/device/address.ts'
import * as device from '../../contract/device/device.ts'
import { addDownloadTicket, type DownloadRequest } from '../../contract/file/download.ts'
import * as firmware from '../../contract/firmware.ts'
import { HUB_SETTINGS } from '../../contract/hub-settings.schema.ts'
import { deleteNdiPresets, setNdiPreset } from '../../contract/ndi/preset.ts'
import * as router from '../../contract/ndi/router.ts'
import * as forward from '../../contract/port-forward.ts'
import * as preview from '../../contract/preview.ts'
import { acknowledgeProblems } from '../../contract/problem.ts'
import * as rollout from '../../contract/rollout.ts'
import { setSettings } from '../../contract/settings.ts'
import * as channel from '../../contract/stream/channel.ts'
import { channelHistory, exportChannelHistory, setBaseline } from '../../contract/stream/channel-history.ts'
import { setChannelSecurity, setGlobalChannel } from '../../contract/stream/channel-security.ts'
import { channelSeries, exportChannelSeries } from '../../contract/stream/channel-series.ts'
import { channelTimeline, exportChannelTimeline } from '../../contract/stream/channel-timeline.ts'
import { watchChannel } from '../../contract/stream/channel-watch.ts'
import { faultPicture } from '../../contract/stream/fault-picture.ts'
import { SRT } from '../../contract/stream/protocols.ts'
import * as source from '../../contract/stream/source.ts'
import * as update from '../../contract/update.ts'
import { md5 } from '../kit/hub/hub.ts'

const UNKNOWN_NAME = 'nothing'
export const UNKNOWN_ID = 999_999
const UNKNOWN_BIT = 2 ** 29
const MD5 = md5('x')
export const OTHERS_PASSWORD = { name: 'Admin', passwd: MD5 }
/** Sets the global default of the visibility, with a group that does not exist. */
export const DEVICE_DEFAULT = { id: 0, security: { 'is-inherit': 0, 'group-mask': UNKNOWN_BIT, 'usr-mask': 0 } }
const requestsFor = <Request>(call: Call<Request, never> | Call<Request>, ...requests: Request[]) =>
  [call as Call, requests as object[]] as const

/** Parts of the settings that need more than a value that is stored already. */
const OTHER_PARTS: readonly string[] = ['security', 'srt', 'rtmp']

/** Settings that the hub of the test has already. */
export const STORED_SETTINGS: Readonly<Record<string, unknown>> = {
  ...Object.fromEntries(
    Object.entries(HUB_SETTINGS)
      .filter(([part]) => !OTHER_PARTS.includes(part))
      .map(([part, row]) => [part, row.default])
  ),
  hosts: { names: ['hub.test'] },
  security: { 'enable-code': true, 'code-value': '0165' }
}

/** Well-formed requests that change nothing when they are admitted, because they name objects that do not exist. */
export const HARMLESS_REQUESTS = new Map<Call, object[]>([
  requestsFor(session.changePassword, { passwd: MD5 }, OTHERS_PASSWORD),
  requestsFor(secondFactor.renewRecoveryCodes, {}),
  requestsFor(secondFactor.disableSecondFactor, { pass: MD5, code: '000000' }),
  requestsFor(secondFactor.resetSecondFactor, { id: UNKNOWN_BIT }),
  requestsFor(user.endSessions, { id: UNKNOWN_ID }),
  requestsFor(user.setUser, { id: UNKNOWN_BIT, name: 'someone' }),
  requestsFor(user.deleteUsers, { id: UNKNOWN_BIT }),
  requestsFor(user.moveUsers, { id: UNKNOWN_BIT, 'group-id': GROUP_VIEWER }),
  requestsFor(user.addGroup, { name: 'Crew', permissions: 2 ** 30 }),
  requestsFor(user.setGroup, { id: UNKNOWN_BIT, desc: 'x' }),
  requestsFor(user.deleteGroup, { id: UNKNOWN_BIT }),
  requestsFor(token.addToken, { 'expired-time': 1 }),
  requestsFor(token.deleteTokens, { id: UNKNOWN_ID }),
  ...[device.acceptDevices, device.rejectDevices, device.deleteDevices].map((call) =>
    requestsFor(call, { sn: [UNKNOWN_NAME] })
  ),
  requestsFor(device.listDevicesBySerial, { sn: [UNKNOWN_NAME] }),
  requestsFor(device.queryDevice, { sn: UNKNOWN_NAME }),
  ...[
    deviceAction.rebootDevices,
    deviceAction.startRecording,
    deviceAction.stopRecording,
    deviceAction.startLive,
    deviceAction.stopLive
  ].map((call) => requestsFor(call, { sn: [UNKNOWN_NAME] })),
  requestsFor(deviceAction.renameDevice, { sn: UNKNOWN_NAME, name: 'x' }),
  requestsFor(device.configureDevices, { sn: [UNKNOWN_NAME], config: {} }),
  requestsFor(addDevice, { address: '169.254.169.254', user: 'x', password: 'x' }),
  requestsFor(setDeviceAddress, { sn: UNKNOWN_NAME, port: 9 }),
  requestsFor(device.setDeviceSecurity, { sn: UNKNOWN_NAME, security: { 'is-inherit': 1 } }),
  requestsFor(device.setGlobalDevice, { security: { 'group-mask': UNKNOWN_BIT, 'usr-mask': 0 } }),
  requestsFor(setChannelSecurity, { id: UNKNOWN_ID, security: { 'is-inherit': 1 } }),
  requestsFor(setGlobalChannel, { security: { 'group-mask': UNKNOWN_BIT, 'usr-mask': 0 } }),
  requestsFor(setSettings, ...Object.entries(STORED_SETTINGS).map(([part, value]) => ({ [part]: value }))),
  requestsFor<DownloadRequest>(
    addDownloadTicket as Call<DownloadRequest>,
    { kind: 'log', type: 'system', format: 'csv' },
    { kind: 'export' },
    { kind: 'backup', name: 'headend-hub-2026-11-23-03-00-00.tar' }
  ),
  requestsFor(device.setFavorite, { sn: [UNKNOWN_NAME], favorite: true }),
  requestsFor(source.setInput, { id: UNKNOWN_ID, name: 'x', config: { type: 1, url: 'udp://127.0.0.1:9' } }),
  requestsFor(source.addOutput, {
    name: 'x',
    protocol: SRT,
    config: { mode: 'listener', 'bind-port': 9, enc: 'aes-128' }
  }),
  requestsFor(source.setOutput, {
    id: UNKNOWN_ID,
    name: 'x',
    protocol: SRT,
    config: { mode: 'listener', 'bind-port': 9 }
  }),
  requestsFor(setNdiPreset, { id: UNKNOWN_ID, name: 'x', ndi: { name: 'STUDIO (Cam 1)' } }),
  ...[source.deleteInputs, deleteNdiPresets, source.deleteOutputs, channel.deleteChannels].map((call) =>
    requestsFor(call, { id: UNKNOWN_ID })
  ),
  requestsFor(channel.addChannel, { name: 'x', config: { 'play-key': 'x', 'push-key': 'x' } }),
  requestsFor(channel.setChannel, { id: UNKNOWN_ID, name: 'x' }),
  requestsFor(channel.queryChannel, { id: UNKNOWN_ID }),
  requestsFor(channel.enableChannel, { id: UNKNOWN_ID, enable: true }),
  requestsFor(channel.setChannelInput, { id: UNKNOWN_ID, input: 0 }),
  requestsFor(channel.replaceInput, { from: UNKNOWN_ID, input: UNKNOWN_ID }),
  requestsFor(channel.dropChannelClients, { id: UNKNOWN_ID, clients: [1] }),
  ...[channel.addChannelOutputs, channel.deleteChannelOutputs].map((call) =>
    requestsFor(call, { id: UNKNOWN_ID, outputs: [UNKNOWN_ID] })
  ),
  requestsFor(channel.enableChannelOutputs, { id: UNKNOWN_ID, outputs: [UNKNOWN_ID], enable: false }),
  ...[
    channelHistory,
    channelSeries,
    channelTimeline,
    exportChannelHistory,
    exportChannelSeries,
    faultPicture,
    setBaseline,
    watchChannel
  ].map((call) => requestsFor(call, { id: UNKNOWN_ID })),
  requestsFor(exportChannelTimeline, { id: UNKNOWN_ID, format: 'txt' }),
  requestsFor(preview.setupPreview, { id: UNKNOWN_NAME }),
  ...[router.setMatrix, router.deleteMatrix, router.undoTake].map((call) => requestsFor(call, { id: UNKNOWN_ID })),
  requestsFor(router.takeRoutes, { id: UNKNOWN_ID, takes: [{ destination: 1, source: 0 }] }),
  requestsFor(router.lockDestination, { id: UNKNOWN_ID, destination: 1, locked: true }),
  requestsFor(router.addSalvo, { id: UNKNOWN_ID, name: 'x', takes: [{ destination: 1, source: 0 }] }),
  ...[router.setSalvo, router.deleteSalvo, router.takeSalvo].map((call) =>
    requestsFor(call, { id: UNKNOWN_ID, salvo: UNKNOWN_ID })
  ),
  requestsFor(router.deleteScheduledTake, { id: UNKNOWN_ID, scheduled: UNKNOWN_ID }),
  requestsFor(acknowledgeProblems, { id: ['channel-0'] }),
  requestsFor(catalog.listDevicesWithCatalog, { catalogs: String(UNKNOWN_ID) }),
  requestsFor(catalog.addCatalog, { 'parent-id': UNKNOWN_ID, name: 'x' }),
  requestsFor(catalog.renameCatalog, { id: UNKNOWN_ID, name: 'x' }),
  requestsFor(catalog.deleteCatalog, { id: UNKNOWN_ID, force: true }),
  requestsFor(catalog.setCatalog, { id: UNKNOWN_ID, security: { 'is-inherit': 1 } }, DEVICE_DEFAULT),
  requestsFor(firmware.addFirmware, { 'file-path': `${MD5}.mwf` }),
  requestsFor(firmware.deleteFirmware, { id: UNKNOWN_ID, force: true }),
  requestsFor(firmware.startUpload, { name: 'x.txt', size: 0 }),
  ...[firmware.queryUpload, firmware.cancelUpload].map((call) => requestsFor(call, { upload: MD5 })),
  requestsFor(firmware.finishUpload, { upload: MD5 }),
  ...[rollout.upgradeDevices, rollout.startRollout].map((call) =>
    requestsFor(call, { sn: [UNKNOWN_NAME], 'firmware-id': UNKNOWN_ID })
  ),
  requestsFor(rollout.queryRollout, { id: UNKNOWN_ID }),
  requestsFor(rollout.listRolloutDevices, { id: UNKNOWN_ID }),
  ...[rollout.pauseRollout, rollout.resumeRollout, rollout.cancelRollout, rollout.deleteRollout].map((call) =>
    requestsFor(call, { id: UNKNOWN_ID })
  ),
  requestsFor(rollout.retryRollout, { id: UNKNOWN_ID }),
  requestsFor(forward.startPortForward, { sn: UNKNOWN_NAME, 'remote-port': 80 }),
  requestsFor(forward.stopPortForward, { id: UNKNOWN_ID }),
  requestsFor(update.startUpdate, { id: MD5 + MD5 }),
  requestsFor(update.confirmUpdate, { script: 'none.js' }),
  requestsFor(preview.clearPreview, { id: UNKNOWN_NAME })
])
