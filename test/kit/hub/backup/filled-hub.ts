// Fills a hub with objects of every kind that an export contains, each secret with a mark.
import { addToken } from '../../../../contract/access/token.ts'
import { addGroup, addUser } from '../../../../contract/access/user.ts'
import { addCatalog, setCatalog } from '../../../../contract/catalog.ts'
import { SUCCESS } from '../../../../contract/codes.ts'
import {
  acceptDevices,
  configureDevices,
  setDeviceSecurity,
  setFavorite,
  setGlobalDevice
} from '../../../../contract/device/device.ts'
import { setDeviceName } from '../../../../contract/machine/name.ts'
import { addNdiPreset } from '../../../../contract/ndi/preset.ts'
import { addMatrix, addSalvo, lockDestination, takeRoutes } from '../../../../contract/ndi/router.ts'
import { setSettings } from '../../../../contract/settings.ts'
import { addChannel, addChannelOutputs, enableChannel, setChannelInput } from '../../../../contract/stream/channel.ts'
import { setChannelSecurity, setGlobalChannel } from '../../../../contract/stream/channel-security.ts'
import { addPreset } from '../../../../contract/stream/preset.ts'
import { DIR_OUTPUT, HTTP, RTMP, RTSP, SRT, UDP } from '../../../../contract/stream/protocols.ts'
import { type AddOutputRequest, addInput, addOutput } from '../../../../contract/stream/source.ts'
import { type Client, newPassword, type TestHub } from '../hub.ts'
import { helloOf, registerDevices } from '../register-devices.ts'

/** Part of every secret. */
export const MARK = 'zSecretHush'
export const INVITATION_CODE = '4711'
/** Secret of the second factor of the user `Vera`. */
export const FACTOR = 'ZSECRETHUSHABCDEFGHIJKLMNOPQRSTU'

export interface FilledHub {
  /** Secrets that the hub has chosen itself. */
  chosen: string[]
  channel: number
  devices: string[]
  token: string
}

async function must<Reply extends { result?: number }>(reply: Promise<Reply>): Promise<Reply> {
  const response = await reply
  if (response.result !== SUCCESS) throw new Error(JSON.stringify(response))
  return response
}

async function addStreams(admin: Client): Promise<{ channel: number; idle: number }> {
  const input = async (name: string, url: string) =>
    (await must(admin.send(addInput, { name, config: { type: 1, url } }))).id
  const main = await input('SRT in', `srt://127.0.0.1:1?mode=caller&streamid=${MARK}&passphrase=${MARK}${MARK}`)
  const spare = await input('RTMP in', `rtmp://me:${MARK}@127.0.0.1:1/live/${MARK}`)
  await input('RTSP in', `rtsp://me:${MARK}@127.0.0.1:1/${MARK}`)
  await input('HTTP in', `https://127.0.0.1:1/live.m3u8?token=${MARK}`)
  await input('UDP in', 'udp://239.1.2.3:5004')
  await must(admin.send(addNdiPreset, { name: 'NDI in', ndi: { name: 'HALL (Cam 1)', url: '192.0.2.7' } }))
  const outputs: AddOutputRequest[] = [
    {
      name: 'RTMP out',
      protocol: RTMP,
      config: { url: 'rtmp://127.0.0.1:1/live', key: MARK, 'enable-auth': true, username: 'me', password: MARK }
    },
    {
      name: 'SRT out',
      protocol: SRT,
      config: {
        mode: 'caller',
        'dst-ip': '127.0.0.1',
        'dst-port': 1,
        'stream-id': MARK,
        enc: 'aes-128',
        passphrase: `${MARK}-phrase`
      }
    },
    { name: 'UDP out', protocol: UDP, config: { 'dst-ip': '239.1.2.4', 'dst-port': 5006 } },
    { name: 'RTSP out', protocol: RTSP, config: { port: 18554, 'is-sub': true } },
    { name: 'HLS out', protocol: HTTP, config: { key: `${MARK}-hls`, 'allow-ip': ['192.0.2.0/24'] } }
  ]
  const ids: number[] = []
  for (const output of outputs) ids.push((await must(admin.send(addOutput, output))).id)
  const config = {
    'play-key': `${MARK}-play`,
    'push-key': `${MARK}-push`,
    backups: [spare],
    slate: true,
    schedule: { zone: 'Europe/Berlin', rules: [], events: [{ start: '2099-01-01T09:00', stop: '2099-01-01T17:00' }] }
  }
  const { id: channel } = await must(admin.send(addChannel, { name: 'Studio 1', config }))
  await must(admin.send(setChannelInput, { id: channel, input: main, force: true }))
  await must(admin.send(addChannelOutputs, { id: channel, outputs: ids.slice(2, 3), force: true }))
  const { id: idle } = await must(admin.send(addChannel, { name: 'Studio 2' }))
  await must(admin.send(addChannelOutputs, { id: idle, outputs: [ids[0] as number, ids[4] as number], force: true }))
  for (const id of [channel, idle]) await must(admin.send(enableChannel, { id, enable: true }))
  await must(
    admin.send(addPreset, { name: 'Site', protocol: RTMP, config: { url: 'rtmp://192.0.2.9/live', latency: 120 } })
  )
  return { channel, idle }
}

async function addRouter(admin: Client): Promise<void> {
  const { id } = await must(
    admin.send(addMatrix, {
      name: 'Gallery',
      machine: 'Gallery',
      sources: [{ name: 'HALL (Cam 1)' }, { name: 'HALL (Cam 2)' }],
      destinations: [{ label: 'Wall' }, {}]
    })
  )
  const takes = [{ destination: 1, source: 2 }]
  await must(admin.send(addSalvo, { id, name: 'News', takes }))
  const at = Math.floor(Date.now() / 1000) + 86_400
  await must(admin.send(takeRoutes, { id, takes, at, name: 'Tomorrow' }))
  await must(admin.send(lockDestination, { id, destination: 2, locked: true }))
}

/** @param admin a client of the user `Admin` */
export async function fillHub(hub: TestHub, admin: Client): Promise<FilledHub> {
  const { store } = hub.parts
  const group = await must(
    admin.send(addGroup, { name: 'Operators', permissions: 0x404, desc: 'Night shift', 'require-second-factor': true })
  )
  const vera = await must(
    admin.send(addUser, { name: 'Vera', nick: 'Vera B.', 'group-id': group.id, ...newPassword('Vera-1234') })
  )
  store.database.transaction(() => {
    const secret = store.encryption.encrypt(FACTOR, `second factor of user ${vera.id}`)
    store.secondFactors.enable(vera.id, secret, 5, Date.now())
    store.secondFactors.setRecoveryCodes(vera.id, ['ab'.repeat(32)])
  })
  const { token } = await must(
    admin.send(addToken, { name: 'Player', owner: 'Vera', scopes: ['read'], 'expired-time': -1 })
  )
  const devices = registerDevices(hub, 3)
  const player = helloOf(9, { name: 'Player', dir: DIR_OUTPUT })
  hub.parts.registry.register(player, '192.0.2.10')
  await must(admin.send(acceptDevices, { sn: [...devices.slice(0, 2), player.sn] }))
  const { id: hall } = await must(admin.send(addCatalog, { 'parent-id': 0, name: 'Hall' }))
  const { id: floor } = await must(admin.send(addCatalog, { 'parent-id': hall, name: 'Floor' }))
  const security = { 'is-inherit': 0, 'group-mask': group.id, 'usr-mask': vera.id }
  await must(admin.send(setCatalog, { id: floor, devices: devices.slice(0, 1), security }))
  await must(admin.send(setDeviceSecurity, { sn: devices[1] as string, security }))
  await must(admin.send(setFavorite, { sn: devices.slice(1, 2), favorite: true }))
  await must(
    admin.send(configureDevices, { sn: devices.slice(0, 1), config: { output: { protocol: SRT, latency: 200 } } })
  )
  await must(admin.send(setGlobalDevice, { security: { 'group-mask': group.id, 'usr-mask': 0 } }))
  const idOf = (sn: string) => store.devices.bySerial(sn)?.id as number
  const device = idOf(devices[0] as string)
  store.database.transaction(() =>
    store.deviceAddresses.set(device, {
      address: '192.0.2.20',
      port: 443,
      https: true,
      user: 'admin',
      password: MARK,
      cert: 'cd'.repeat(32)
    })
  )
  const { channel, idle } = await addStreams(admin)
  await must(admin.send(addChannelOutputs, { id: idle, outputs: [idOf(player.sn)], force: true }))
  await must(admin.send(setChannelSecurity, { id: channel, security }))
  await must(admin.send(setGlobalChannel, { security: { 'group-mask': group.id, 'usr-mask': vera.id } }))
  await addRouter(admin)
  for (const settings of [
    { security: { 'enable-code': true, 'code-value': INVITATION_CODE } },
    { 'expired-time': 60 },
    { 'pwd-rule': { length: 9, lowercase: 1, uppercase: 1, number: 1, special: 0, 'chk-name': 1 } },
    { log: { 'max-lines': 2000, 'max-days': 100 } },
    { srt: { port: 18_000, 'pb-key-len': 16 as const, passphrase: `${MARK}-srt` } },
    { streams: { 'forbid-private': false } },
    { syslog: { protocol: 'udp' as const, host: '127.0.0.1', port: 1514 } },
    { channel: { 'ndi-enable': true } },
    { previews: { 'data-saver': true } }
  ])
    await must(admin.send(setSettings, settings as never))
  await must(admin.send(setDeviceName, { name: 'Main hub' }))
  const chosen = store.database
    .all<{ secret: string }>(
      `SELECT password AS secret FROM user UNION SELECT key_hash FROM device UNION SELECT hash FROM token
        UNION SELECT hash FROM recovery_code UNION SELECT play_key FROM channel UNION SELECT push_key FROM channel
        UNION SELECT json_extract(config, '$.key') FROM output UNION SELECT json_extract(config, '$."sub-key"') FROM output`
    )
    .map(({ secret }) => secret)
    .filter(Boolean)
  return { chosen: [...chosen, token, FACTOR], channel, devices, token }
}
