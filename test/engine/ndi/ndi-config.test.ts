import assert from 'node:assert/strict'
import fs, { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import type { NdiDiscoverySettings } from '../../../contract/ndi/settings.ts'
import { NDI_AUTO, NDI_MULTICAST, NDI_RUDP, NDI_TCP } from '../../../contract/ndi/transport.ts'
import { ForbiddenAddressError } from '../../../engine/interfaces/errors.ts'
import type { NdiProcessOptions } from '../../../engine/interfaces/ndi.ts'
import { NdiConfig } from '../../../engine/ndi/config.ts'

const test = suite('NDI configuration')

const SETTINGS: NdiDiscoverySettings = {
  enable: false,
  servers: [],
  'send-groups': '',
  'recv-groups': '',
  'extra-ips': [],
  'machine-name': '',
  ifaces: []
}
const HOSTS: Readonly<Record<string, string>> = { 'cam.example': '192.0.2.7', 'ndi.example': '192.0.2.8' }

let folder: string
let account: string
let config: NdiConfig
const opened: { onExit(): void }[] = []

test.before.each(() => {
  folder = mkdtempSync(join(tmpdir(), 'headend-account-'))
  account = join(folder, 'account')
  mkdirSync(account)
  config = new NdiConfig({
    accountFolder: account,
    async resolveHost(host) {
      if (host === '10.0.0.1') throw new ForbiddenAddressError(host)
      const address = HOSTS[host] ?? (/^[\d.]+$/.test(host) ? host : undefined)
      if (!address) throw new Error('ENOTFOUND')
      return address
    }
  })
})
test.after.each(() => {
  for (const process of opened.splice(0)) process.onExit()
  rmSync(folder, { recursive: true })
})

const writeAccountConfig = (text: string) => writeFileSync(join(account, 'ndi-config.v1.json'), text)

function open(options: Partial<NdiProcessOptions> = {}) {
  const process = config.open({ role: 'send', name: 'Hall', ...options })
  opened.push(process)
  const path = join(process.environment.NDI_CONFIG_DIR ?? '', 'ndi-config.v1.json')
  return { ...process, path, ndi: JSON.parse(readFileSync(path, 'utf8')).ndi }
}

test('the settings become the documented configuration, with addresses in place of names', async () => {
  await config.configure({
    ...SETTINGS,
    enable: true,
    servers: [
      { address: 'ndi.example', port: 5959 },
      { address: '192.0.2.9', port: 6000 }
    ],
    'send-groups': 'Stage',
    'recv-groups': 'Stage,Public',
    'extra-ips': ['192.0.2.6', 'cam.example'],
    'machine-name': '演播室',
    ifaces: ['127.0.0.1']
  })
  assert.deepEqual(open().ndi, {
    machinename: '演播室',
    networks: { ips: '192.0.2.6,192.0.2.7', discovery: '192.0.2.8,192.0.2.9:6000' },
    groups: { send: 'Stage', recv: 'Stage,Public' },
    adapters: { allowed: ['127.0.0.1'] }
  })
  assert.equal(config.machineName(), '演播室')
})

test('without settings a process gets the configuration of the account, and the host name', () => {
  writeAccountConfig('{"ndi":{"groups":{"recv":"Own"},"codec":{"shq":{"quality":90}}},"other":1}')
  assert.deepEqual(open().ndi, { groups: { recv: 'Own' }, codec: { shq: { quality: 90 } } })
  assert.equal(config.machineName(), hostname().toUpperCase())
  assert.equal(config.observe().accountConfig, 'merged')
})

test('the settings are merged over the configuration of the account, whose extra addresses stay', async () => {
  writeAccountConfig(
    '{"ndi":{"machinename":"Own","groups":{"send":"A","recv":"B"},"networks":{"ips":"192.0.2.1,","discovery":"192.0.2.2"}}}'
  )
  await config.configure({ ...SETTINGS, 'send-groups': 'Stage', 'extra-ips': ['192.0.2.6'] })
  assert.deepEqual(open().ndi, {
    machinename: 'Own',
    groups: { send: 'Stage', recv: 'B' },
    networks: { ips: '192.0.2.1,192.0.2.6', discovery: '192.0.2.2' }
  })
  assert.equal(config.machineName(), 'OWN')
})

test('a configuration of the account that is not JSON is ignored and reported', () => {
  for (const text of ['{', '[]', 'null', '"a"']) {
    writeAccountConfig(text)
    assert.deepEqual(open().ndi, {})
    assert.equal(config.observe().accountConfig, 'invalid')
  }
})

test('each transport mode switches the others off, and multicast leaves them on', () => {
  const ndi = (mode: number) => open({ transport: { 'transport-mode': mode } }).ndi
  assert.deepEqual(ndi(NDI_AUTO), {})
  const off = { send: { enable: false } }
  assert.deepEqual(ndi(NDI_RUDP), { rudp: { send: { enable: true } }, tcp: off, unicast: off, multicast: off })
  assert.deepEqual(ndi(NDI_TCP), { rudp: off, tcp: off, unicast: off, multicast: off })
  const send = { enable: true, netprefix: '239.255.0.0', netmask: '255.255.0.0', ttl: 1 }
  assert.deepEqual(ndi(NDI_MULTICAST), { multicast: { send } })
  const received = open({ role: 'receive', transport: { 'transport-mode': NDI_TCP } }).ndi
  assert.deepEqual(received.rudp, { recv: { enable: false } })
})

test('a change leaves the files of running processes alone and lists them until they end', async () => {
  const before = open({ name: 'Hall' })
  const received = open({ role: 'receive', name: 'SRC (Cam)' })
  const text = readFileSync(before.path, 'utf8')
  assert.deepEqual(config.observe().outdated, [])
  await config.configure({ ...SETTINGS, 'send-groups': 'Stage' })
  assert.equal(readFileSync(before.path, 'utf8'), text)
  assert.deepEqual(config.observe().outdated, [
    { role: 'send', name: 'Hall' },
    { role: 'receive', name: 'SRC (Cam)' }
  ])
  before.onExit()
  received.onExit()
  assert.deepEqual(config.observe().outdated, [])
  assert.ok(!existsSync(before.path))
  open()
  assert.deepEqual(config.observe().outdated, [])
})

test('a process searches at its own addresses too, and with its own groups and servers instead of those of the settings', async () => {
  await config.configure({ ...SETTINGS, 'recv-groups': 'Stage', 'send-groups': 'Stage', 'extra-ips': ['192.0.2.6'] })
  const search = { addresses: ['192.0.2.7', '192.0.2.6'], groups: 'Own', servers: ['192.0.2.8:6000'] }
  const { networks, groups } = open({ role: 'receive', name: 'SRC (Cam)', search }).ndi
  assert.deepEqual(networks, { ips: '192.0.2.6,192.0.2.7', discovery: '192.0.2.8:6000' })
  assert.deepEqual(groups, { send: 'Stage', recv: 'Own' })
  const { networks: shared } = open({ role: 'receive', name: 'SRC (Cam)', search: { addresses: [] } }).ndi
  assert.deepEqual(shared, { ips: '192.0.2.6' })
})

test('hosts that are unknown or forbidden, and interfaces that do not exist, are left out and reported', async () => {
  await config.configure({
    ...SETTINGS,
    enable: true,
    servers: [{ address: 'nowhere.example', port: 5959 }],
    'extra-ips': ['10.0.0.1', '192.0.2.6'],
    ifaces: ['nic99']
  })
  const { networks, adapters } = open().ndi
  assert.deepEqual(networks, { ips: '192.0.2.6', discovery: '' })
  // Not all interfaces, because one was asked for.
  assert.deepEqual(adapters, { allowed: ['127.0.0.1'] })
  assert.deepEqual(config.observe().unusable.sort(), ['10.0.0.1', 'nic99', 'nowhere.example'])
})

test('a configuration that cannot be written, because the disk is full, leaves no folder behind', () => {
  const folders = () => readdirSync(tmpdir()).filter((name) => name.startsWith(`headend-ndi-config-${process.pid}-`))
  const before = folders()
  const original = fs.writeFileSync
  fs.writeFileSync = () => {
    throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
  }
  syncBuiltinESMExports()
  try {
    assert.throws(() => config.open({ role: 'find', name: '' }), { code: 'ENOSPC' })
  } finally {
    fs.writeFileSync = original
    syncBuiltinESMExports()
  }
  assert.deepEqual(folders(), before)
})

test.run()
