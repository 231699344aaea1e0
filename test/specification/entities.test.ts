// Fields of the objects in the responses of a hub that has one of each kind (docs/specification.md, section 3).
import assert from 'node:assert/strict'
import { suite } from 'uvu'
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

const test = suite('fields of objects')

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
  hub.parts.registry.setOnline(sn)
  hub.parts.registry.setObservation(sn, {
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
async function createObjects(): Promise<void> {
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

/** Fields of each object as paths, with what they are. */
const FIELDS: Readonly<Record<keyof Objects, Readonly<Record<string, string>>>> = {
  user: {
    id: 'an id',
    name: 'a user name',
    nick: 'a shown name',
    'group-id': 'a group',
    'group-name': 'the name of the group',
    permission: 'a mask of permissions'
  },
  login: {
    'user.name': 'the user name',
    'user.type': 'the type of the group',
    'user.permission': 'the mask of permissions',
    'user.id': 'the id of the user'
  },
  userGroup: {
    name: 'a name',
    desc: 'a description',
    users: 'its users',
    permission: 'a mask of permissions',
    type: 'a type'
  },
  catalog: {
    id: 'an id',
    name: 'a name',
    'parent-id': 'a parent',
    isRoot: 'a mark that it is at the top',
    isOpen: 'a mark that a tree opens it',
    path: 'a path of names',
    childs: 'groups below',
    'is-everyone': 'a mark that every user sees it',
    users: 'the users who see it',
    'is-inherit': 'a mark that it inherits its visibility',
    'usr-mask': 'a mask of users'
  },
  device: {
    name: 'a name',
    sn: 'a serial number',
    module: 'a family',
    'module-name': 'the name of its model',
    'catalog-id': 'a group',
    'connect-ip': 'the address from which it connects',
    'firmware-ver': 'a firmware version',
    'hardware-ver': 'a hardware version',
    'reg-state': 'a registration state',
    'apply-date': 'the time of its registration',
    'online-date': 'the time since when it is online',
    'start-date': 'a start time, from which the up time follows',
    'dev-warns': 'warnings',
    'is-favorite': 'a mark of the caller',
    'status.eth': 'an address on Ethernet',
    'pro-feature.input': 'an input signal'
  },
  input: {
    id: 'an id',
    name: 'a name',
    dir: 'a direction',
    type: 'a type',
    protocol: 'a protocol',
    'config.url': 'a URL'
  },
  output: {
    id: 'an id',
    name: 'a name',
    dir: 'a direction',
    type: 'a type',
    protocol: 'a protocol',
    addr: 'an address',
    config: 'the settings of its protocol'
  },
  channel: {
    name: 'a name',
    input: 'one input',
    'outputs.list': 'a list of outputs',
    'config.enable': 'a switch',
    state: 'a state',
    kbps: 'a bit rate',
    'living-time-s': 'an up time',
    'conn-num': 'a number of connections',
    clients: 'the players that are connected'
  },
  license: {
    'license-reg.status': 'a state',
    'cur-license.max-channel-count': 'a limit of channels',
    'cur-license.max-live-count': 'a limit of streaming channels',
    'cur-license.max-output-count': 'a limit of active outputs',
    'cur-license.max-srt-count': 'a limit of SRT servers',
    'cur-license.max-dev-count': 'a limit of registered devices',
    'cur-license.used': 'the use of each limit'
  },
  token: {
    owner: 'an owner',
    'expired-time': 'an end, or -1',
    begin: 'its first characters'
  },
  status: {
    'system.info.expired-time': 'the session expiry in minutes',
    'system.info.feature-support': 'a mask of features',
    'system.status.status-code': 'a mask of states',
    'system.device.num-pending': 'the number of pending devices',
    'system.device.num-warn': 'the number of devices with warnings',
    'cur-license': 'the limits in force'
  },
  firmware: {
    'product-id': 'a product',
    'marjor-ver': 'a version',
    'hardware-ver': 'a hardware version',
    'upload-date': 'the time of its upload',
    'file-path': 'a file name',
    'file-size': 'a size'
  },
  operation: {
    time: 'a time',
    user: 'a user',
    ip: 'an address',
    text: 'details',
    code: 'a result'
  },
  systemEvent: {
    time: 'a time',
    level: 'a level',
    text: 'details'
  }
}

function hasPath(value: unknown, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return true
  return typeof value === 'object' && value !== null && name in value && hasPath(Reflect.get(value, name), rest)
}

test.before(createObjects)
test.after(() => hub.close())

for (const [kind, fields] of Object.entries(FIELDS))
  test(`the response has all fields of the object: ${kind}`, () => {
    for (const [path, meaning] of Object.entries(fields))
      assert.ok(hasPath(objects[kind as keyof Objects], path.split('.')), `${path}, ${meaning}`)
  })

test('every response has a result code', async () => {
  for (const client of [hub.clientAs(), hub.client()])
    for (const path of ['/system/status', '/channel/query', '/nothing']) {
      const reply = (await (await client.raw('GET', `/api${path}`)).json()) as { result?: unknown }
      assert.equal(typeof reply.result, 'number', path)
    }
})

test.run()
