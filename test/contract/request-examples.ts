// Valid requests of every call: one with the required fields only, and ones with all fields.

import * as display from '../../contract/access/display.ts'
import { setProfile } from '../../contract/access/profile.ts'
import * as secondFactor from '../../contract/access/second-factor.ts'
import * as session from '../../contract/access/session.ts'
import { redeemTicket } from '../../contract/access/ticket.ts'
import * as token from '../../contract/access/token.ts'
import * as user from '../../contract/access/user.ts'
import { listVisibleObjects } from '../../contract/access/visible-objects.ts'
import type { Call } from '../../contract/call.ts'
import * as catalog from '../../contract/catalog.ts'
import { getRevisions } from '../../contract/change-feed.ts'
import * as deviceAction from '../../contract/device/action.ts'
import { addDevice, setDeviceAddress } from '../../contract/device/address.ts'
import * as device from '../../contract/device/device.ts'
import * as firmware from '../../contract/firmware.ts'
import * as license from '../../contract/license/calls.ts'
import * as ndiPreset from '../../contract/ndi/preset.ts'
import { getNdiStatus } from '../../contract/ndi/status.ts'
import { listPortForwards, startPortForward, stopPortForward } from '../../contract/port-forward.ts'
import { clearPreview, openPreview, setupPreview } from '../../contract/preview.ts'
import { acknowledgeProblems, listProblems } from '../../contract/problem.ts'
import { drawQr } from '../../contract/qr.ts'
import * as channel from '../../contract/stream/channel.ts'
import * as channelActions from '../../contract/stream/channel-actions.ts'
import { channelHistory, exportChannelHistory, setBaseline } from '../../contract/stream/channel-history.ts'
import { getGlobalChannel, setChannelSecurity, setGlobalChannel } from '../../contract/stream/channel-security.ts'
import { watchChannel } from '../../contract/stream/channel-watch.ts'
import { listNdiSources } from '../../contract/stream/ndi.ts'
import * as presets from '../../contract/stream/preset.ts'
import { HTTP, NDI, RTMP, RTP, RTSP, SRT, UDP } from '../../contract/stream/protocols.ts'
import * as source from '../../contract/stream/source.ts'
import { describeApi, listAddresses, retryPorts, systemStatus } from '../../contract/system.ts'
import * as update from '../../contract/update.ts'
import { uploadCertificate, uploadCertificateKey } from '../../contract/web/certificate.ts'
import { cancelPort, confirmPort, listPorts } from '../../contract/web/ports.ts'

import { EXAMPLES, examples } from './examples/examples.ts'
import './examples/log.ts'
import './examples/export.ts'
import './examples/ndi-router.ts'
import './examples/network.ts'
import './examples/power.ts'
import './examples/settings.ts'

export { EXAMPLES }

const MD5 = 'e3afed0047b08059d0fada10f400c1e5'

const page = { start: 0, count: 10_000 }

examples(session.login, { id: 'Admin', pass: MD5 }, { id: 'Admin', pass: MD5, code: '123456' })
examples(session.logout, {})
examples(session.logoutByGet, {})
examples(session.reauthenticate, { pass: MD5 }, { pass: MD5, code: '123 456' })
examples(secondFactor.startSecondFactor, {})
examples(secondFactor.enableSecondFactor, { secret: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', code: '123456' })
examples(secondFactor.renewRecoveryCodes, {})
examples(secondFactor.disableSecondFactor, { pass: MD5, code: 'abcd-efgh-ijkl-mnop' })
examples(secondFactor.resetSecondFactor, { id: 1 })
examples(session.getSession, {})
examples(setProfile, { nick: '' }, { nick: '演播室 Müller' })
examples(display.addDisplay, { name: 'Control room' })
examples(redeemTicket, { ticket: 'q3J0dGVkLXdpdGgtMzItcmFuZG9tLWJ5dGVzLWhlcmU' })
examples(display.openDisplay, { code: '7KQD-3MXH-9TRW-BC4F' }, { code: '7kqd 3mxh 9trw bc4f' })
examples(
  session.changePassword,
  { passwd: MD5 },
  { name: 'Admin', 'old-passwd': MD5, passwd: MD5, password: 'Secret-1' }
)
examples(license.getLicense, {})
examples(license.activateLicense, { 'user-name': 'Diocese', sn: 'A1B2C3D4E5F60718' })
examples(license.deactivateLicense, { 'user-name': 'Diocese' })
examples(license.uploadLicense, {})
examples(update.updateStatus, {})
examples(update.uploadUpdate, {})
examples(update.startUpdate, { id: MD5 + MD5 }, { id: MD5 + MD5, force: true })
examples(update.cancelUpdate, {})
examples(update.confirmUpdate, { script: 'app-0123abcd.js' })
examples(update.revertUpdate, {})
examples(user.listSessions, {})
examples(user.endSessions, { id: 1 }, { id: [1, 2] })
examples(user.listUsers, {}, { type: 'group', id: 4294967295, more: 1 })
examples(
  user.addUser,
  { name: 'x', passwd: MD5 },
  { name: '王小明', passwd: MD5, password: 'Secret-1', 'group-id': 4, nick: '' }
)
examples(user.setUser, { id: 2 }, { id: 2147483648, name: 'vera', nick: 'x'.repeat(32) })
examples(user.deleteUsers, { id: 2 }, { id: [2, 2147483648] })
examples(user.moveUsers, { id: 2, 'group-id': 4 }, { id: [2, 4], 'group-id': 32 })
examples(
  user.addGroup,
  { name: 'Crew', permissions: 1 },
  { name: 'Crew', permissions: 4294967295, users: ['vera'], desc: '' }
)
examples(user.setGroup, { id: 8 }, { id: 8, name: 'Crew', permissions: 1, users: [], desc: 'x'.repeat(256) })
examples(user.deleteGroup, { id: 8 })
examples(listProblems, {})
examples(acknowledgeProblems, { id: ['channel-3'] }, { id: ['device-a_1', 'disk'], note: 'x'.repeat(200), undo: true })
examples(systemStatus, {}, { 'global-config': 1, history: 1 })
examples(getRevisions, {})
examples(
  device.listDevices,
  {},
  {
    ...page,
    'reg-state': 'waiting',
    catalog: 0,
    module: 4294967295,
    dir: 'input',
    status: 'dev-warns,offline,warns,online',
    'is-favorite': 1,
    key: 'hall',
    sort: 'connect-ip',
    order: 'descending',
    mark: 'a-_9',
    since: Number.MAX_SAFE_INTEGER
  }
)
for (const call of [device.listDevicesBySerial, device.acceptDevices, device.rejectDevices, device.deleteDevices])
  examples(call as Call<device.SerialsRequest>, { sn: ['B313210600123'] }, { sn: Array(1000).fill('a-_9'.repeat(16)) })
examples(device.queryDevice, { sn: 'B313210600123' }, { sn: 'B313210600123', 'global-config': 1 })
const masks = { 'group-mask': 4294967295, 'usr-mask': 0 }
examples(
  device.setDeviceSecurity,
  { sn: 'B313210600123', security: { 'is-inherit': 1 } },
  { sn: ['B313210600123', 'a-_9'.repeat(16)], security: { 'is-inherit': false, ...masks } }
)
examples(device.getGlobalDevice, {})
examples(
  setChannelSecurity,
  { id: 100001, security: { 'is-inherit': 1 } },
  { id: [100001, 100002], security: { 'is-inherit': 0, ...masks } }
)
examples(getGlobalChannel, {})
examples(setGlobalChannel, { security: masks })
examples(listVisibleObjects, { usr: 2, of: 'device' }, { ...page, group: 4, of: 'channel', hidden: 1, key: 'hall' })
const connection = {
  input: { protocol: 2, 'stream-index': 1, latency: 8000 },
  output: { protocol: 1, latency: 20, 'buffer-ms': 2000 }
}
examples(device.setGlobalDevice, { security: masks }, { config: {} }, { security: masks, config: connection })
examples(
  device.configureDevices,
  { sn: ['B313210600123'], config: {} },
  { sn: ['B313210600123'], config: connection },
  { sn: ['B313210600123'], config: { input: { protocol: 0, 'stream-index': 0 } } }
)
for (const call of [
  deviceAction.rebootDevices,
  deviceAction.startRecording,
  deviceAction.stopRecording,
  deviceAction.startLive,
  deviceAction.stopLive
])
  examples(call, { sn: ['B313210600123'] })
examples(deviceAction.renameDevice, { sn: 'B313210600123', name: "Hall 1.2+'[]()" })
examples(
  addDevice,
  { address: '192.0.2.7', user: 'Admin', password: 'Admin' },
  { address: 'encoder.example.org', port: 8443, https: true, user: 'a b', password: 'ü', module: 4278190080 }
)
examples(
  setDeviceAddress,
  { sn: 'B313210600123' },
  { sn: 'B3', address: '192.0.2.7', port: 80, https: false, user: 'Admin', password: 'x', 'forget-cert': true }
)
examples(device.setFavorite, { sn: ['B313210600123'], favorite: false })
examples(firmware.listFirmware, {}, { ...page, 'product-id': 787, 'hardware-ver': 'A', sn: 'B313210600123', since: 1 })
examples(firmware.uploadFirmware, {})
for (const call of [uploadCertificate, uploadCertificateKey, listPorts, confirmPort, cancelPort])
  examples(call as Call, {})
examples(firmware.addFirmware, { 'file-path': `${MD5}.mwf` }, { 'file-path': `${MD5}.mwf`, force: true })
examples(firmware.deleteFirmware, { id: 1 }, { id: [1, 2], force: false })
examples(firmware.startUpload, { name: 'a.mwf', size: 0 }, { name: 'a.mwf', size: 1, sha256: '0a'.repeat(32) })
examples(firmware.uploadChunk, { upload: MD5, offset: 0 })
examples(firmware.queryUpload, { upload: MD5 })
examples(firmware.finishUpload, { upload: MD5 }, { upload: MD5, add: true, force: true })
examples(firmware.cancelUpload, { upload: MD5 })
examples(firmware.upgradeDevices, { sn: ['B313210600123'], 'firmware-id': 1 })
examples(
  firmware.startRollout,
  { sn: ['B313210600123'], 'firmware-id': 1 },
  { sn: ['B313210600123'], 'firmware-id': 1, force: true, first: 0, wave: 1, 'stop-after': 0 }
)
examples(firmware.listRollouts, {}, { ...page, since: 1 })
examples(firmware.queryRollout, { id: 1 })
examples(firmware.listRolloutDevices, { id: 1 }, { ...page, id: 1, since: 1 })
for (const call of [firmware.pauseRollout, firmware.resumeRollout, firmware.cancelRollout, firmware.deleteRollout])
  examples(call, { id: 1 })
examples(firmware.retryRollout, { id: 1 }, { id: 1, sn: ['B313210600123'] })
const NDI_PRESET = {
  name: 'Camera 1',
  ndi: {
    name: 'STUDIO (Cam 1)',
    url: '192.0.2.9:5961',
    group: 'public,stage',
    'transport-mode': 5,
    'mcast-ip': '239.1.2.3',
    'mcast-sub-mask': '255.255.255.0',
    'mcast-time-to-live': 255,
    'extra-ips': ['192.0.2.7'],
    'low-bw': true,
    'discovery-server': ['192.0.2.8:5959', 'ndi.example.com'],
    'buffer-ms': 2000
  },
  force: true
}
examples(ndiPreset.listNdiPresets, {}, { ...page, key: 'cam' })
examples(ndiPreset.addNdiPreset, { name: 'Camera 1', ndi: { name: 'STUDIO (Cam 1)' } }, NDI_PRESET)
examples(ndiPreset.setNdiPreset, { id: 1, name: 'Camera 1', ndi: { name: 'STUDIO (Cam 1)' } }, { id: 1, ...NDI_PRESET })
examples(ndiPreset.deleteNdiPresets, { id: 1 }, { id: [1, 2], force: true })
examples(getNdiStatus, {})
examples(listNdiSources, {}, { ...page, key: 'cam' })
examples(listPortForwards, {}, { ...page, since: 0, mark: 'a-_9' })
examples(
  startPortForward,
  { sn: 'B313210600123', 'remote-port': 80 },
  { sn: 'B313210600123', 'local-port': 65_535, 'remote-port': 1 }
)
examples(stopPortForward, { id: 1 }, { sn: 'B313210600123', 'local-port': 8080 })
examples(token.listTokens, {}, page)
examples(
  token.addToken,
  { 'expired-time': token.NEVER_EXPIRES },
  { 'expired-time': 1, name: '', owner: 'Admin', token: 'aB3x'.repeat(16) }
)
examples(token.deleteTokens, { id: 1 }, { id: [1, 2] })
for (const call of [source.listInputs, source.listOutputs])
  examples(call as Call<source.SourceListRequest>, {}, { ...page, key: '', sort: 'name', order: 'ascending' })
const input = { name: 'Cam 1', config: { type: 1 as const, url: 'srt://10.0.0.1:9000' } }
examples(source.addInput, input)
examples(
  source.setInput,
  { id: 1001, ...input },
  { id: 1001, name: 'Mux', config: { ...input.config, program: 65_535 } }
)
export const rtmpOutput = { name: 'Live', protocol: RTMP, config: { url: 'rtmp://a.example/live' } }
export const fullRtmpConfig = {
  ...rtmpOutput.config,
  key: 'k',
  'enable-auth': true,
  username: 'me',
  password: 'secret'
}
const listener = { name: 'Out', protocol: SRT, config: { mode: 'listener' as const, 'bind-port': 9000 } }
const caller = {
  ...{ mode: 'caller' as const, 'dst-ip': 'a.example', 'dst-port': 9000, 'stream-id': 'live/a', latency: 8000 },
  ...{ enc: 'aes-256' as const, passphrase: 'p'.repeat(79) }
}
const udp = { 'dst-ip': '239.1.2.3', 'dst-port': 5000 }
const others = [
  { name: 'UDP', protocol: UDP, config: udp },
  { name: 'RTP', protocol: RTP, config: { ...udp, mtu: 228, 'mcast-time-to-live': 255, iface: 'eth0' } },
  { name: 'RTSP', protocol: RTSP, config: { port: 554 } },
  {
    name: 'RTSP 2',
    protocol: RTSP,
    config: {
      ...{ port: 8554, key: 'a_b-C9', 'max-client-num': 64, 'enable-auth': true, username: 'me' },
      ...{ password: 'secret', type: 0 as const, 'allow-ip': ['192.168.1.7'] }
    }
  },
  { name: 'HLS', protocol: HTTP, config: {} },
  { name: 'HLS 2', protocol: HTTP, config: { key: 'k', 'seg-count': 20, 'seg-duration': 1, 'allow-ip': [] } },
  { name: 'NDI', protocol: NDI, config: {} },
  {
    name: 'NDI 2',
    protocol: NDI,
    config: {
      ...{ group: 'public', 'transport-mode': 5, 'mcast-ip': '239.1.0.0', 'mcast-sub-mask': '255.255.0.0' },
      'mcast-time-to-live': 1
    }
  }
]
const served = { ...listener.config, bandwidth: 100, 'max-client-num': 1, 'allow-ip': ['10.0.0.0/8'] }
const outputs = [
  rtmpOutput,
  { ...rtmpOutput, config: fullRtmpConfig },
  listener,
  { ...listener, config: caller },
  ...[{ ...listener, config: served }, ...others]
]
examples(source.addOutput, ...outputs, { ...listener, config: { ...caller, passphrase: '' } })
examples(source.setOutput, ...outputs.map((output) => ({ id: 1001, ...output })))
for (const call of [source.deleteInputs, source.deleteOutputs])
  examples(call as Call<{ id: number | number[]; force?: boolean }>, { id: 1001 }, { id: [1001, 1002], force: true })
const parts = { 'output-start': 0, 'output-count': 1000, 'client-start': 0, 'client-count': 1000 }
examples(
  channel.channelDashboard,
  {},
  { ...page, ...parts, live: 1, history: 1, sort: 'name', order: 'ascending', since: 0 }
)
examples(channel.queryChannel, { id: 100001 }, { id: 100001, level: 1, ...parts })
examples(channel.channelLevels, { ids: '100001' }, { ids: '1,2' })
const preset = {
  name: 'Site',
  protocol: RTMP,
  config: { url: 'rtmp://192.0.2.9/live', latency: 120, 'enable-auth': true }
}
examples(source.proposePort, {})
examples(presets.listPresets, {})
examples(presets.addPreset, preset)
examples(presets.setPreset, { id: 1, ...preset })
examples(presets.deletePreset, { id: 1 })
const keys = { 'play-key': 'k'.repeat(256), 'push-key': 'p' }
const life = {
  ndi: { enable: true, group: 'public', 'transport-mode': 1, 'mcast-time-to-live': 1 },
  protocol: { rtmp: false, srt: true },
  'allow-ip': ['10.0.0.0/8', '192.168.1.7'],
  'replace-publisher': true,
  backups: [1001, 1002],
  switch: { 'after-s': 60, back: 'never' as const, 'back-after-s': 5 },
  slate: true,
  schedule: {
    zone: 'Europe/Berlin',
    rules: [{ days: 127, start: '23:59', stop: '00:00' }],
    events: [{ start: '2026-11-29T09:30', stop: '2026-11-29T11:00' }]
  }
}
examples(channel.addChannel, { name: 'Hall' }, { name: '演播室', config: {} }, { name: 'Hall', config: keys })
examples(channel.setChannel, { id: 1, name: 'Hall' }, { id: 1, name: 'Hall', config: { ...keys, ...life } })
examples(channelActions.duplicateChannel, { id: 1 })
examples(channel.enableChannel, { id: 1, enable: true })
examples(channel.deleteChannels, { id: 1 }, { id: [1, 2] })
examples(
  channelHistory,
  { id: 1 },
  { id: 1, leg: 1001, span: 600, fields: 'kbps,rtt-ms,pkt-loss', points: 300, by: 'max' }
)
examples(exportChannelHistory, { id: 1 }, { id: 1, leg: 0 })
examples(setBaseline, { id: 1 }, { id: 1, leg: 1001 })
examples(channel.dropChannelClients, { id: 1, clients: [7] })
examples(channel.setChannelInput, { id: 1, input: 0 }, { id: 1, input: 1001 })
for (const input of [0, 1001, 'slate' as const, 'auto' as const])
  examples(channelActions.switchChannelInput, { id: 1, input })
for (const call of [channel.addChannelOutputs, channel.deleteChannelOutputs])
  examples(call, { id: 1, outputs: [1001] }, { id: 1, outputs: Array.from({ length: 16 }, (_, index) => index) })
examples(
  channel.enableChannelOutputs,
  { id: 1, outputs: [1001], enable: true },
  { id: 1, outputs: [1001, 1002], enable: false }
)
examples(watchChannel, { id: 100001 }, { id: 100001, v: Date.now() })
examples(openPreview, {}, { v: Date.now() }, { seen: 1, save: 1 })
examples(setupPreview, { id: 'x' }, { id: 'x', add: ['DEV-B313210600123', 1001], del: [] })
examples(clearPreview, { id: 'x' })
examples(catalog.listCatalogs, {}, { since: 0 }, { tree: 1 })
examples(catalog.listDevicesWithCatalog, {}, { ...page, catalogs: '0,30001', 'dev-start': 0, 'dev-count': 10 })
examples(
  catalog.addCatalog,
  { id: 0, name: '演播室' },
  { 'parent-id': 30001, name: 'x'.repeat(32) },
  { id: 1, 'parent-id': 1, name: 'x' }
)
examples(catalog.renameCatalog, { id: 30001, name: 'Hall' })
examples(catalog.deleteCatalog, { id: 30001 }, { id: 30001, force: true })
const seenBy = { 'is-inherit': 0, 'group-mask': 4294967295, 'usr-mask': 1 }
examples(
  catalog.setCatalog,
  { id: 30001, devices: ['B313210600123'] },
  { id: 0, devices: ['B313210600123'], security: seenBy },
  { id: 30001, security: { 'is-inherit': 1 } }
)
examples(drawQr, { text: 'srt://192.0.2.10:8000' }, { text: '演播室'.repeat(259) })
examples(describeApi, {})
examples(retryPorts, {})
examples(listAddresses, {})
