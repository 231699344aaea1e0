import assert from 'node:assert/strict'
import { suite } from 'uvu'
import {
  IN_PROGRESS,
  INVALID_ARG,
  NOT_EXIST,
  NOT_PERMITTED,
  OBJECT_BUSY,
  READ_ONLY,
  STATE_CHANGED,
  SUCCESS
} from '../../../../contract/codes.ts'
import { listLog } from '../../../../contract/log.ts'
import {
  confirmFirewall,
  type FirewallRule,
  getFirewall,
  setFirewall
} from '../../../../contract/machine/firewall/firewall.ts'
import { addChannel, enableChannel, setChannelInput } from '../../../../contract/stream/channel.ts'
import { addInput } from '../../../../contract/stream/source.ts'
import { serviceClient } from '../../../../hub/machine/firewall-client.ts'
import { fillStorage } from '../../../kit/fault/full-storage.ts'
import { admin, BLOCKED, firewall, firewallHubForEach, hub, readFirewall } from '../../../kit/firewall/firewall-hub.ts'
import { addUser, startHub } from '../../../kit/hub/hub.ts'
import { until } from '../../../kit/until.ts'
import { input } from '../stream/source-requests.ts'

const test = suite('firewall of the machine')

const rule = (port: string, protocol: 0 | 1 | 2 = 0, enable = true, remark = ''): FirewallRule => ({
  port,
  protocol,
  remark,
  enable
})

firewallHubForEach(test)

test('a new hub leaves all ports open, and may change that', async () => {
  const { result, access, mode, rules, 'in-effect': inEffect, change, last } = await readFirewall()
  assert.deepEqual([result, access, mode, rules, inEffect], [0, { machine: 'manage' }, 1, [], true])
  assert.deepEqual([change, last], [undefined, undefined])
})

test('a change that blocks ports waits, and is kept by its confirmation', async () => {
  const rules = [rule('8070'), rule('9000-9010', 1, true, 'Studio'), rule('22', 0, false)]
  const { result, change } = await admin.send(setFirewall, { mode: -1, rules })
  assert.deepEqual([result, change?.mode, change?.by, change?.['seconds-left']], [0, -1, 'Admin', 60])
  const waiting = await readFirewall()
  assert.deepEqual([waiting.mode, waiting.change?.rules, waiting.counts], [1, rules, undefined])
  assert.equal((await admin.send(setFirewall, { mode: 1, rules: [] })).result, IN_PROGRESS)
  assert.equal((await admin.send(confirmFirewall, {})).result, SUCCESS)
  firewall.tables.counts.set('1', [7, 420])
  const counted = async () => (await readFirewall()).counts?.[1]?.packets === 7
  await until(counted, 'the packets are counted')
  const kept = await readFirewall()
  assert.deepEqual([kept.mode, kept.rules, kept['in-effect'], kept.change], [-1, rules, true, undefined])
  assert.deepEqual(kept.counts, [{ packets: 0, bytes: 0 }, { packets: 7, bytes: 420 }, null])
  assert.deepEqual(kept.refused, { packets: 0, bytes: 0 })
  assert.deepEqual([kept.last?.outcome, kept.last?.by, kept.last?.request], ['kept', 'Admin', undefined])
  assert.equal((await admin.send(confirmFirewall, {})).result, NOT_EXIST)
  assert.match(firewall.tables.current, /udp dport 9000-9010/)
  assert.doesNotMatch(firewall.tables.current, /dport 22|Studio/)
})

test('a rule has ports, protocol, remark and switch', async () => {
  const rules = [rule('1-65535', 2, true, 'All'), rule('22', 0, false, 'SSH'), rule('53', 1)]
  await admin.send(setFirewall, { mode: -1, rules })
  assert.deepEqual((await readFirewall()).rules, rules)
})

test('a rule with a source opens its ports for that source, and reaches nftables, the list and the log', async () => {
  const rules = [
    { ...rule('9000', 1), source: '192.168.1.0/24' },
    { ...rule('9000', 1), source: '2001:db8::/32' }
  ]
  assert.equal((await admin.send(setFirewall, { mode: -1, rules })).result, SUCCESS)
  assert.equal((await admin.send(confirmFirewall, {})).result, SUCCESS)
  assert.match(firewall.tables.current, /ip saddr 192\.168\.1\.0\/24 udp dport 9000/)
  assert.match(firewall.tables.current, /ip6 saddr 2001:db8::\/32 udp dport 9000/)
  const { rules: stored, 'in-effect': inEffect } = await readFirewall()
  assert.deepEqual([stored, inEffect], [rules, true])
  const { list } = await admin.send(listLog, { type: 'operation' })
  assert.ok(list.some(({ text }) => text?.includes('9000 UDP from 192.168.1.0/24')))
  // From fewer addresses: it has to be confirmed.
  const fewer = [{ ...rule('9000', 1), source: '192.168.1.7' }]
  assert.ok((await admin.send(setFirewall, { mode: -1, rules: fewer })).change)
})

test('a source that is no address or network, and two equal rules, are refused', async () => {
  for (const source of ['lan', '10.0.0.0/33', '10.0.0.1; flush ruleset', '10.0.0.1-10.0.0.9']) {
    const { result, field } = await admin.send(setFirewall, { mode: -1, rules: [{ ...rule('9000'), source }] })
    assert.deepEqual([result, field], [INVALID_ARG, 'rules.source'])
  }
  const twice = [
    { ...rule('9000'), source: '10.0.0.1' },
    { ...rule('9000'), source: '10.0.0.1' }
  ]
  assert.equal((await admin.send(setFirewall, { mode: -1, rules: twice })).result, INVALID_ARG)
})

test('a change that blocks no port, or only changes remarks and disabled rules, is stored at once', async () => {
  await admin.send(setFirewall, { mode: -1, rules: [rule('1-65535', 2)] })
  assert.equal((await readFirewall()).mode, -1)
  const count = firewall.tables.applied.length
  const noted = [rule('1-65535', 2, true, 'All'), rule('22', 0, false)]
  assert.equal((await admin.send(setFirewall, { mode: -1, rules: noted })).change, undefined)
  assert.deepEqual((await readFirewall()).rules, noted)
  assert.equal(firewall.tables.applied.length, count)
})

test('cancelling a change restores the ports at once, and the list returns the cancelled request', async () => {
  await admin.send(setFirewall, BLOCKED)
  assert.match(firewall.tables.current, /drop/)
  assert.equal((await admin.send(confirmFirewall, { keep: false })).result, SUCCESS)
  assert.equal(firewall.tables.current, '')
  const { last, mode } = await readFirewall()
  assert.deepEqual([mode, last?.outcome, last?.reason, last?.text], [1, 'undone', 'cancelled', 'A user cancelled it'])
  assert.deepEqual(last?.request, BLOCKED)
  const { list } = await admin.send(listLog, { type: 'system' })
  assert.match(JSON.stringify(list), /Firewall change by Admin undone \(A user cancelled it\)/)
  const operations = await admin.send(listLog, { type: 'operation' })
  assert.match(JSON.stringify(operations.list), /Set firewall: All ports blocked/)
})

test('a change that nobody confirms is undone by the service, and the hub says so without being asked', async () => {
  await firewall.stop()
  await firewall.start(300)
  await admin.send(setFirewall, BLOCKED)
  await until(() => firewall.tables.current === '', 'the change is undone')
  // A hub that was restarted in the meantime finds the same.
  const { last } = await readFirewall()
  assert.deepEqual([last?.outcome, last?.by], ['undone', 'Admin'])
})

test('a hub that could not store a confirmation, which the service has stored, takes it up', async () => {
  await admin.send(setFirewall, BLOCKED)
  const id = hub.parts.store.settings.get('firewall-change')?.id ?? ''
  await serviceClient(firewall.socket)({ op: 'confirm', id })
  const { mode, last, 'in-effect': inEffect } = await readFirewall()
  assert.deepEqual([mode, last?.outcome, inEffect], [0, 'kept', true])
})

test('a service that is restarted during a change goes back, and the reason says so', async () => {
  await admin.send(setFirewall, BLOCKED)
  await firewall.stop()
  await firewall.start()
  const { last } = await readFirewall()
  assert.deepEqual([last?.reason, last?.text], ['interrupted', 'The firewall service was restarted'])
})

test('a change with the revision of older settings is refused, and changes nothing', async () => {
  const { revision } = await readFirewall()
  assert.equal((await admin.send(setFirewall, { mode: 1, rules: [rule('9000')], revision })).result, SUCCESS)
  assert.notEqual((await readFirewall()).revision, revision)
  assert.equal((await admin.send(setFirewall, { ...BLOCKED, revision })).result, STATE_CHANGED)
  assert.deepEqual((await readFirewall()).rules, [rule('9000')])
  assert.equal(firewall.tables.current, '')
  assert.equal((await admin.send(setFirewall, { mode: 1, rules: [] })).result, SUCCESS)
  assert.equal((await readFirewall()).revision, revision)
})

test('a change has its revision when it is kept, and the earlier one returns when it is undone', async () => {
  const { revision } = await readFirewall()
  for (const keep of [false, true]) {
    assert.equal((await admin.send(setFirewall, { ...BLOCKED, revision })).result, SUCCESS)
    assert.equal((await readFirewall()).revision, revision)
    await admin.send(confirmFirewall, { keep })
    assert.equal((await readFirewall()).revision === revision, !keep)
  }
  const kept = await readFirewall()
  hub.parts.store.settings.set('firewall', { mode: 0, rules: [rule('9000')] })
  assert.notEqual((await readFirewall()).revision, kept.revision)
})

test('of changes with the same revision that arrive at once, only one is applied', async () => {
  for (let round = 0; round < 3; round++) {
    const { revision } = await readFirewall()
    const lists = ['9000', '9001', '9002'].map((port) => [rule('1-65535', 2, true), rule(port, 0, round % 2 === 0)])
    const responses = await Promise.all(lists.map((rules) => admin.send(setFirewall, { mode: -1, rules, revision })))
    const winners = lists.filter((_, index) => responses[index]?.result === SUCCESS)
    assert.deepEqual(winners, [(await readFirewall()).rules])
  }
})

test('a full disk does not hide the firewall: the list has the end of a change', async () => {
  await admin.send(setFirewall, BLOCKED)
  await firewall.stop()
  await firewall.start()
  const empty = fillStorage(hub.parts.store.database)
  for (let n = 0; n < 2; n++) {
    const { result, mode, change, last } = await readFirewall()
    assert.deepEqual([result, mode, change, last?.reason], [0, 1, undefined, 'interrupted'])
  }
  empty()
})

test('the list names the cause when the service or nftables is missing or fails', async () => {
  await firewall.stop()
  const stopped = await readFirewall()
  assert.match(stopped.access.reason ?? '', /headend-firewall is not running/)
  assert.match(stopped.access['next-step'] ?? '', /systemctl enable --now headend-firewall/)
  assert.deepEqual([stopped['in-effect'], stopped.access.package], [undefined, undefined])
  const refused = await admin.send(setFirewall, BLOCKED)
  assert.deepEqual([refused.result, /headend-firewall/.test(refused.message ?? '')], [READ_ONLY, true])
  await firewall.start()
  firewall.tables.isPresent = false
  assert.equal((await readFirewall()).access.package, 'nftables')
  firewall.tables.isPresent = true
  firewall.tables.failures = 1
  const failed = await admin.send(setFirewall, BLOCKED)
  assert.deepEqual([failed.result, /Operation not supported/.test(failed.message ?? '')], [READ_ONLY, true])
  assert.equal((await readFirewall()).mode, 1)
})

test('settings that another program removed from the kernel can be applied again', async () => {
  await admin.send(setFirewall, BLOCKED)
  await admin.send(confirmFirewall, {})
  firewall.tables.current = ''
  await until(async () => (await readFirewall())['in-effect'] === false, 'the hub notices it')
  assert.equal((await admin.send(setFirewall, BLOCKED)).change?.mode, 0)
  assert.equal((await admin.send(confirmFirewall, {})).result, SUCCESS)
  assert.equal((await readFirewall())['in-effect'], true)
})

test('a rule that blocks the port of a running channel needs force; the refusal names the channel; only administrators set rules', async () => {
  const { id: inputId } = await admin.send(addInput, input('Multicast in', 'udp://239.1.1.1:5004'))
  const { id } = await admin.send(addChannel, { name: 'News' })
  await admin.send(setChannelInput, { id, input: inputId })
  const idle = (await readFirewall()).ports.find(({ label }) => label === 'Input Multicast in')
  assert.deepEqual(idle, { port: 5004, protocol: 1, use: 'input', 'one-way': true, label: 'Input Multicast in' })
  assert.equal((await admin.send(setFirewall, { mode: -1, rules: [rule('5004', 1)] })).result, SUCCESS)
  await admin.send(confirmFirewall, { keep: false })
  await admin.send(enableChannel, { id, enable: true })
  const used = (await readFirewall()).ports.find(({ label }) => label === 'Input Multicast in')
  assert.deepEqual(used?.streams, ['News'])
  const { result, 'owner-i': owners } = await admin.send(setFirewall, BLOCKED)
  assert.deepEqual([result, owners, firewall.tables.current], [OBJECT_BUSY, ['News'], ''])
  const operator = await addUser(hub, 'network', 0x4000 | 0x8000)
  const hidden = (await operator.send(getFirewall, {})).ports.find(({ port }) => port === 5004)
  assert.deepEqual(hidden, {
    port: 5004,
    protocol: 1,
    use: 'input',
    'one-way': true,
    label: 'Input',
    'hidden-streams': true
  })
  const other = await operator.send(setFirewall, BLOCKED)
  assert.equal(other.result, NOT_PERMITTED)
  assert.equal((await admin.send(setFirewall, { ...BLOCKED, force: true })).result, SUCCESS)
})

test('the ports at which NDI inputs receive are listed: reliable UDP, UDP and several TCP connections', async () => {
  const { id: inputId } = await admin.send(addInput, input('Camera', 'ntkndi://ndi?name=STUDIO%20(Camera)'))
  const { id } = await admin.send(addChannel, { name: 'News' })
  await admin.send(setChannelInput, { id, input: inputId })
  const ndiPorts = async () => (await readFirewall()).ports.filter(({ use }) => use === 'ndi-input' || use === 'ndi')
  assert.deepEqual(await ndiPorts(), [])
  await admin.send(enableChannel, { id, enable: true })
  const own = { use: 'ndi-input', label: 'NDI inputs of the hub', streams: ['News'] }
  assert.deepEqual(await ndiPorts(), [
    { port: 5960, 'last-port': 6059, protocol: 1, ...own },
    { port: 6960, 'last-port': 7059, protocol: 1, 'one-way': true, ...own },
    { port: 6960, 'last-port': 7059, protocol: 0, ...own }
  ])
  const { result, 'owner-i': owners } = await admin.send(setFirewall, BLOCKED)
  assert.deepEqual([result, owners], [OBJECT_BUSY, ['News']])
})

test('rules that are malformed or equal are refused, and change nothing', async () => {
  const refused: [object, string][] = [
    [rule('90-80'), 'order'],
    [rule('0'), 'range'],
    [rule('80\n accept'), 'number'],
    [rule('80', 0, true, 'a\nb'), 'characters'],
    [rule('80', 0, true, 'x'.repeat(65)), 'length']
  ]
  for (const [bad, fault] of refused) {
    const response = await admin.send(setFirewall, { mode: -1, rules: [bad as FirewallRule] })
    assert.deepEqual([response.result, response.fault], [INVALID_ARG, fault], JSON.stringify(bad))
  }
  const equal = await admin.send(setFirewall, { mode: -1, rules: [rule('80'), rule('80', 0, false)] })
  assert.deepEqual([equal.result, equal.field, equal.fault], [INVALID_ARG, 'rules.port', 'taken'])
  const many = Array.from({ length: 129 }, (_, index) => rule(`${index + 1}`))
  assert.equal((await admin.send(setFirewall, { mode: -1, rules: many })).result, INVALID_ARG)
  assert.equal((await readFirewall()).mode, 1)
  assert.deepEqual(firewall.tables.current, '')
})

test('a hub in view mode shows the stored rules, and says how to let it change them', async () => {
  hub.parts.store.settings.set('firewall', { mode: -1, rules: [rule('80')] })
  const viewing = await startHub()
  try {
    const client = viewing.clientAs()
    viewing.parts.store.settings.set('firewall', { mode: -1, rules: [rule('80')] })
    const { access, rules, 'in-effect': inEffect } = await client.send(getFirewall, {})
    assert.deepEqual([access.machine, rules, inEffect], ['view', [rule('80')], undefined])
    assert.match(access['next-step'] ?? '', /MACHINE=manage/)
    assert.equal((await client.send(setFirewall, BLOCKED)).result, READ_ONLY)
  } finally {
    await viewing.close()
  }
})

test.run()
