import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { CHANNEL_CONTROL, CHANNEL_VIEW, DEVICE_VIEW } from '../../../contract/access/permissions.ts'
import { INVALID_ARG, NOT_EXIST, NOT_PERMITTED, SUCCESS } from '../../../contract/codes.ts'
import { acceptDevices, queryDevice } from '../../../contract/device/device.ts'
import { listLog } from '../../../contract/log.ts'
import { acknowledgeProblems, listProblems } from '../../../contract/problem.ts'
import {
  addChannel,
  addChannelOutputs,
  enableChannel,
  queryChannel,
  setChannelInput
} from '../../../contract/stream/channel.ts'
import { setChannelSecurity } from '../../../contract/stream/channel-security.ts'
import { UDP } from '../../../contract/stream/protocols.ts'
import { addInput, addOutput } from '../../../contract/stream/source.ts'
import { addSignedInUser, type Client, startHub, type TestHub } from '../../kit/hub/hub.ts'
import { admin, hub, hubForEach } from '../../kit/hub/hub-for-each.ts'
import { CARRYING_LEG, REFUSED_LEG, setObservedChannel } from '../../kit/hub/observed-channel.ts'
import { helloOf } from '../../kit/hub/register-devices.ts'

const test = suite('problems')
hubForEach(test)

/** A started channel with a UDP input and two UDP outputs. */
async function startChannel(client: Client = admin, name = 'Hall') {
  const { id: input } = await client.send(addInput, { name, config: { type: 1, url: 'udp://127.0.0.1:9' } })
  const { id } = await client.send(addChannel, { name })
  const outputs: number[] = []
  for (const place of ['Foyer', 'Street']) {
    const config = { 'dst-ip': '127.0.0.1', 'dst-port': 9000 + (id % 1000) * 10 + outputs.length }
    outputs.push((await client.send(addOutput, { name: `${name} ${place}`, protocol: UDP, config } as never)).id)
  }
  await client.send(setChannelInput, { id, input })
  await client.send(addChannelOutputs, { id, outputs })
  await client.send(enableChannel, { id, enable: true })
  return { id, outputs: outputs as [number, number] }
}

const idsOf = async (client: Client = admin) => (await client.send(listProblems, {})).list.map(({ id }) => id)

/** Observes the channel with a failed output. */
const failOutput = ({ id, outputs }: Awaited<ReturnType<typeof startChannel>>, on: TestHub = hub) =>
  setObservedChannel(on, id, CARRYING_LEG, { [outputs[0]]: CARRYING_LEG, [outputs[1]]: REFUSED_LEG })

test('a failed output is a problem with its cause, its channel and what to do', async () => {
  const channel = await startChannel()
  assert.deepEqual((await admin.send(listProblems, {})).list, [])
  failOutput(channel)
  const { list, total } = await admin.send(listProblems, {})
  const [problem] = list
  assert.equal(total, 1)
  assert.ok(Date.now() - (problem?.since ?? 0) < 10_000)
  assert.deepEqual(
    { ...problem, since: 0 },
    {
      id: `output-${channel.id}-${channel.outputs[1]}`,
      kind: 'output',
      severity: 'warn',
      since: 0,
      name: 'Hall Street',
      'channel-name': 'Hall',
      channel: channel.id,
      output: channel.outputs[1],
      reason: 'refused',
      'next-step': 'check-address',
      message: 'The peer refused the connection.\nStart the server there, or check the port.'
    }
  )
})

test('a channel that is down is one problem, before all that is degraded, and has the health of the channel', async () => {
  const down = await startChannel(admin, 'Down')
  const degraded = await startChannel(admin, 'Degraded')
  setObservedChannel(hub, down.id, REFUSED_LEG, { [down.outputs[0]]: REFUSED_LEG })
  failOutput(degraded)
  assert.deepEqual(await idsOf(), [`channel-${down.id}`, `output-${degraded.id}-${degraded.outputs[1]}`])
  const [problem] = (await admin.send(listProblems, {})).list
  const { health } = (await admin.send(queryChannel, { id: down.id })).channel
  assert.equal(problem?.severity, 'bad')
  assert.deepEqual(
    [problem?.reason, problem?.since, problem?.message],
    [health?.reason, health?.since, health?.message]
  )
})

test('offline devices are problems, and have the same health themselves', async () => {
  const { sn } = helloOf(1)
  hub.parts.registry.register(helloOf(1), '192.0.2.10')
  await admin.send(acceptDevices, { sn: [sn] })
  hub.parts.registry.setOnline(sn)
  assert.deepEqual(await idsOf(), [])
  assert.equal((await admin.send(queryDevice, { sn })).dev.health?.verdict, 'online')
  hub.parts.registry.setOffline(sn, 'test')
  // Within the first seconds of a hub its devices connect again.
  assert.deepEqual(await idsOf(), [])
  hub.parts.startTime.shift(-60_000)
  assert.deepEqual(await idsOf(), [`device-${sn}`])
  const { health } = (await admin.send(queryDevice, { sn })).dev
  assert.deepEqual([health?.verdict, health?.reason], ['offline', 'device-offline'])
})

test('callers get only the problems of channels and devices that they have access to', async () => {
  const channel = await startChannel()
  failOutput(channel)
  const { sn } = helloOf(1)
  hub.parts.registry.register(helloOf(1), '192.0.2.10')
  await admin.send(acceptDevices, { sn: [sn] })
  const viewer = await addSignedInUser(hub, 'carl', CHANNEL_VIEW)
  assert.equal((await idsOf(viewer)).length, 1)
  await admin.send(setChannelSecurity, {
    id: channel.id,
    security: { 'is-inherit': 0, 'group-mask': 0, 'usr-mask': 0 }
  })
  assert.deepEqual(await idsOf(viewer), [])
  const watcher = await addSignedInUser(hub, 'dora', DEVICE_VIEW)
  assert.deepEqual(await idsOf(watcher), [`device-${sn}`])
})

test('an acknowledgement is seen by all, logged, and can be withdrawn', async () => {
  const channel = await startChannel()
  failOutput(channel)
  const operator = await addSignedInUser(hub, 'olga', CHANNEL_CONTROL | CHANNEL_VIEW)
  const [id = ''] = await idsOf()
  const { rev } = hub.parts.store.changes
  assert.equal((await operator.send(acknowledgeProblems, { id: [id], note: 'Called them' })).result, SUCCESS)
  assert.ok(hub.parts.store.changes.revOf('problem') > rev)
  const { ack } = (await admin.send(listProblems, {})).list[0] ?? {}
  assert.deepEqual([ack?.by, ack?.note], ['olga', 'Called them'])
  const [line] = (await admin.send(listLog, { type: 'operation' })).list
  assert.deepEqual([line?.event, line?.detail], ['/problem/acknowledge', 'Hall, Hall Street: Called them'])
  await operator.send(acknowledgeProblems, { id: [id], undo: true })
  assert.equal((await admin.send(listProblems, {})).list[0]?.ack, undefined)
})

test('acknowledging requires permission to control channels or devices, and access to the object', async () => {
  const channel = await startChannel()
  failOutput(channel)
  const [id = ''] = await idsOf()
  const viewer = await addSignedInUser(hub, 'carl', CHANNEL_VIEW)
  assert.equal((await viewer.send(acknowledgeProblems, { id: [id] })).result, NOT_PERMITTED)
  assert.equal((await admin.send(acknowledgeProblems, { id: [id, 'channel-1'] })).result, NOT_EXIST)
  const note = 'x'.repeat(201)
  assert.equal((await admin.send(acknowledgeProblems, { id: [id], note })).result, INVALID_ARG)
  assert.equal((await admin.send(listProblems, {})).list[0]?.ack, undefined)
})

test('a problem that ends takes its acknowledgement with it; its next occurrence has none', async () => {
  const channel = await startChannel()
  hub.parts.startTime.shift(-60_000)
  failOutput(channel)
  hub.parts.problems.refresh()
  const [id = ''] = await idsOf()
  await admin.send(acknowledgeProblems, { id: [id] })
  setObservedChannel(hub, channel.id, CARRYING_LEG, {
    [channel.outputs[0]]: CARRYING_LEG,
    [channel.outputs[1]]: CARRYING_LEG
  })
  hub.parts.problems.refresh()
  assert.deepEqual(await idsOf(), [])
  failOutput(channel)
  hub.parts.problems.refresh()
  const [again] = (await admin.send(listProblems, {})).list
  assert.deepEqual([again?.id, again?.ack], [id, undefined])
})

test('acknowledgements and times outlive the hub', async () => {
  const data = mkdtempSync(join(tmpdir(), 'headend-problems-'))
  try {
    let first = await startHub({ data })
    const client = await first.signIn()
    const channel = await startChannel(client)
    failOutput(channel, first)
    first.parts.problems.refresh()
    const [before] = (await client.send(listProblems, {})).list
    await client.send(acknowledgeProblems, { id: [before?.id ?? ''], note: 'Later' })
    await first.close()
    first = await startHub({ data })
    // The hub has not found the failure again yet.
    first.parts.problems.refresh()
    failOutput(channel, first)
    const [after] = (await first.clientAs('Admin').send(listProblems, {})).list
    await first.close()
    assert.deepEqual([after?.id, after?.since, after?.ack?.note], [before?.id, before?.since, 'Later'])
  } finally {
    rmSync(data, { recursive: true, force: true })
  }
})

test('a busy processor and little memory are problems of the machine until they end', async () => {
  const { engine, monitor } = hub.parts
  const machine = async () =>
    (await admin.send(listProblems, {})).list.flatMap(({ kind, reason }) => (kind === 'machine' ? [reason] : [])).sort()
  const usage = (processorWait: number) => {
    engine.usage = () => ({ cpuSeconds: 1, residentBytes: 1, processorWait })
  }
  const { reading } = monitor
  usage(0.6)
  assert.deepEqual(await machine(), [])
  usage(0.8)
  assert.deepEqual(await machine(), ['hub-busy'])
  monitor.reading = () => ({ ...reading.call(monitor), lowMemory: true })
  usage(0.5)
  assert.deepEqual(await machine(), ['hub-busy', 'memory-low'], 'it is still busy')
  usage(0.3)
  assert.deepEqual(await machine(), ['memory-low'])
  engine.usage = () => ({ cpuSeconds: 1, residentBytes: 1, checksInTurns: true })
  assert.deepEqual(await machine(), ['checks-slowed', 'memory-low'], 'content is checked in turns')
})

test.run()
