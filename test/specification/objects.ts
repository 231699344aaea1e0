// One hub for the tables, with an object of each kind, and the responses of the hub that return them.
import { type AccessToken, addToken, listTokens } from '../../contract/access/token.ts'
import { addGroup, addUser, listUsers, type User, type UserGroup } from '../../contract/access/user.ts'
import { addCatalog, listCatalogs } from '../../contract/catalog.ts'
import { acceptDevices, type Device, listDevices, setFavorite } from '../../contract/device/device.ts'
import { DEVICE_WARNING_BITS } from '../../contract/device/status.ts'
import { type Firmware, listFirmware } from '../../contract/firmware.ts'
import { getLicense } from '../../contract/license/calls.ts'
import { type LogEntry, listLog } from '../../contract/log.ts'
import {
  addChannel,
  addChannelOutputs,
  type Channel,
  enableChannel,
  queryChannel,
  setChannelInput
} from '../../contract/stream/channel.ts'
import { SRT, UDP } from '../../contract/stream/protocols.ts'
import {
  addInput,
  addOutput,
  type InputSource,
  listInputs,
  listOutputs,
  type Output
} from '../../contract/stream/source.ts'
import { systemStatus } from '../../contract/system.ts'
import { firmwareFile, uploadFile } from '../kit/hub/firmware-upload.ts'
import { type Client, newPassword, startHub, type TestHub } from '../kit/hub/hub.ts'
import { CARRYING_LEG, setObservedChannel } from '../kit/hub/observed-channel.ts'
import { registerDevices } from '../kit/hub/register-devices.ts'

interface Objects {
  login: object
  user: User
  userGroup: UserGroup
  catalog: object
  device: Device
  input: InputSource
  output: Output
  channel: Channel
  license: object
  token: AccessToken
  status: object
  firmware: Firmware
  operation: LogEntry
  systemEvent: LogEntry
}

let hub: TestHub
let objects: Objects

/** The response of the hub that has an object of this kind. */
export const objectOf =
  (kind: keyof Objects): (() => object) =>
  () =>
    objects[kind]

/** The hub of the tables, and its administrator. */
export const tableHub = (): { hub: TestHub; admin: Client } => ({ hub, admin: hub.clientAs() })

async function createChannel(admin: Client): Promise<Channel> {
  const { id: input } = await admin.send(addInput, { name: 'Camera', config: { type: 1, url: 'udp://127.0.0.1:9' } })
  const { id: output } = await admin.send(addOutput, {
    name: 'Foyer',
    protocol: UDP,
    config: { 'dst-ip': '127.0.0.1', 'dst-port': 9000 }
  })
  await admin.send(addOutput, {
    name: 'Street',
    protocol: SRT,
    config: { mode: 'caller', 'dst-ip': '127.0.0.1', 'dst-port': 9001, latency: 120, enc: 'disable' }
  })
  const { id } = await admin.send(addChannel, { name: 'Hall' })
  await admin.send(setChannelInput, { id, input })
  await admin.send(addChannelOutputs, { id, outputs: [output] })
  await admin.send(enableChannel, { id, enable: true })
  setObservedChannel(hub, id, CARRYING_LEG, { [output]: CARRYING_LEG })
  return (await admin.send(queryChannel, { id })).channel
}

async function createDevice(admin: Client): Promise<Device> {
  const serials = registerDevices(hub, 2)
  const [sn = ''] = serials
  await admin.send(acceptDevices, { sn: [sn] })
  await admin.send(setFavorite, { sn: [sn], favorite: true })
  hub.context.registry.setOnline(sn)
  hub.context.registry.setObservation(sn, {
    status: { eth: '192.0.2.10', 'up-time': 60 },
    warns: DEVICE_WARNING_BITS.usbFull,
    input: '1920x1080p60'
  })
  const { list } = await admin.send(listDevices, { key: sn })
  return first(list)
}

function first<Item>(list: readonly Item[] | undefined): Item {
  const item = list?.at(-1)
  if (item === undefined) throw new Error('The hub returned an empty list')
  return item
}

/** Starts the hub and creates the objects. */
export async function createObjects(): Promise<void> {
  hub = await startHub()
  const admin = await hub.signIn()
  await admin.send(addGroup, { name: 'Crew', permissions: 4, users: [], desc: 'Camera crew' })
  await admin.send(addUser, { name: 'carl', nick: 'Carl', ...newPassword('Secret-Pass-1') })
  await admin.send(addCatalog, { 'parent-id': 0, name: 'Campus' })
  await admin.send(addToken, { name: 'monitor', 'expired-time': -1 })
  await uploadFile(admin, firmwareFile('encodeAio', '1.5.0'))
  const device = await createDevice(admin)
  const channel = await createChannel(admin)
  const { users, groups } = await admin.send(listUsers, {})
  objects = {
    login: (await (await admin.raw('GET', '/api/session')).json()) as object,
    user: first(users),
    userGroup: first(groups),
    catalog: first((await admin.send(listCatalogs, { tree: 1 })).list),
    device,
    input: first((await admin.send(listInputs, {})).list),
    output: first((await admin.send(listOutputs, {})).list),
    channel,
    license: await admin.send(getLicense, {}),
    token: first((await admin.send(listTokens, {})).list),
    status: (await admin.send(systemStatus, {})).status,
    firmware: first((await admin.send(listFirmware, {})).list),
    operation: first((await admin.send(listLog, { type: 'operation' })).list),
    systemEvent: first((await admin.send(listLog, { type: 'system' })).list)
  }
}

export const closeObjects = (): Promise<void> => hub.close()
