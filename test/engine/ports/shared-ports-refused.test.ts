// Refused clients of the shared ports: unknown and outdated keys, keys of disabled channels, keys of the other
// direction, and a second publisher.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CONNECTION_STATE, RTMP, SRT } from '../../../contract/stream/protocols.ts'
import type { RunningProcess } from '../../kit/engine/media.ts'
import { until } from '../../kit/until.ts'
import { fixture, fixtureForEach, pushedChannel } from './shared-ports-fixture.ts'

const test = suite('shared ports: refused clients')

const pushedInput = (channel: number) => ({ id: 0, name: 'Hall', kind: 'pushed', channel }) as const

/** Every client that a channel has ever listed. */
let listedClients: Set<string>
fixtureForEach(test, {
  onUpdate({ channels }) {
    for (const { id, observed } of channels)
      for (const client of observed.clients ?? []) listedClients.add(`${id} ${client.id} ${client.protocol}`)
  }
})
test.before.each(() => {
  listedClients = new Set()
})

async function assertRefused(cause: string, ...clients: RunningProcess[]): Promise<void> {
  for (const code of await Promise.all(clients.map((client) => client.exited))) assert.ok(code, `${cause}: ${code}`)
}

for (const [name, protocol] of [
  ['SRT', SRT],
  ['RTMP', RTMP]
] as const)
  test(`over ${name} clients without a valid key are refused and do not disturb connected ones`, async () => {
    const { engine } = fixture
    const push = (key?: string) => (protocol === SRT ? fixture.pushSrt(key) : fixture.pushRtmp(key))
    const play = (key: string) => (protocol === SRT ? fixture.decodeSrt(key) : fixture.playRtmp(key))
    engine.apply(pushedChannel())
    engine.apply(pushedChannel({ 'push-key': 'PUSH-9', 'play-key': 'PLAY-9' }, { id: 2, enable: false }))
    await fixture.openPorts()
    await assertRefused('unknown key', push('PUSH-0'), push('push-1'), push('PUSH-'), play('PLAY-0'))
    await assertRefused('key of a disabled channel', push('PUSH-9'), play('PLAY-9'))
    // A bare SRT stream ID does not contain the direction.
    const [publishPrefix, playPrefix] = protocol === SRT ? ['publish.srt/live/', 'play.srt/live/'] : ['', '']
    await assertRefused('key of the other direction', push(`${publishPrefix}PLAY-1`), play(`${playPrefix}PUSH-1`))
    assert.deepEqual([...listedClients], [])

    const first = push()
    await fixture.waitForState(1, CONNECTION_STATE.connected)
    const [publisher] = fixture.listClients(true)
    await assertRefused('second publisher', push(), fixture.pushRtmp(), fixture.pushSrt())
    assert.ok(first.isRunning())
    assert.deepEqual([fixture.listClients(true)[0]?.id, publisher?.protocol], [publisher?.id, protocol])

    // The new keys replace the old ones.
    engine.apply(pushedChannel({ 'push-key': 'PUSH-2', 'play-key': 'PLAY-2' }))
    await assertRefused('outdated key', first)
    await until(() => fixture.listClients(true).length === 0, 'the publisher has left')
    const before = listedClients.size
    await assertRefused('outdated key', push('PUSH-1'), play('PLAY-1'))
    assert.equal(listedClients.size, before)
    push('PUSH-2')
    await fixture.waitForState(1, CONNECTION_STATE.connected)
    await assertRefused('outdated key while the channel carries', push('PUSH-1'), play('PLAY-1'))
    assert.equal(fixture.listClients(false).length, 0)
  })

test('a publisher with an unknown key is named, masked, at channels that wait for theirs, and is no alarm', async () => {
  const { engine } = fixture
  const input = (id: number) => engine.observe(id).input
  const reasons = () => [1, 2].map((id) => input(id).reason)
  engine.apply(pushedChannel())
  engine.apply(pushedChannel({ 'push-key': 'PUSH-2', 'play-key': 'PLAY-2' }, { id: 2, input: pushedInput(2) }))
  engine.apply(pushedChannel({ 'push-key': 'STOPPED-3', 'play-key': 'PLAY-3' }, { id: 3, enable: false }))
  await fixture.openPorts()
  for (const push of [fixture.pushRtmp, fixture.pushSrt]) {
    await assertRefused('unknown key', push('WRONG-KEY'))
    await until(
      () => reasons().every((reason) => reason === 'key-refused WR…'),
      () => `the key is named: ${reasons()}`
    )
    assert.equal(input(1).connState, CONNECTION_STATE.waiting)
    assert.equal(input(1).refusal?.address, '127.0.0.1')
    const publisher = push()
    await fixture.waitForState(1, CONNECTION_STATE.connected)
    assert.equal(input(1).refusal, undefined)
    await publisher.kill()
    await until(() => fixture.listClients(true).length === 0, 'the publisher has left')
  }
  await assertRefused(
    'key of a stopped channel',
    fixture.pushRtmp('STOPPED-3'),
    fixture.decodeSrt('play.srt/live/PLAYS-0')
  )
  assert.equal(input(2).reason, 'key-refused WR…')
})

test('a publisher with the play key of a channel is told so', async () => {
  fixture.engine.apply(pushedChannel())
  await fixture.openPorts()
  const player = fixture.decodeSrt()
  await until(() => fixture.listClients(false).length === 1, 'the player is connected')
  // A bare SRT stream ID does not say that the client sends.
  for (const push of [
    () => fixture.pushRtmp('PLAY-1'),
    () => fixture.pushSrt('publish.srt/live/PLAY-1'),
    () => fixture.pushSrt('PLAY-1')
  ]) {
    await assertRefused('key of the other direction', push())
    await until(() => fixture.engine.observe(1).input.reason === 'key-other-way', 'the reason is shown')
    fixture.pushRtmp()
    await fixture.waitForState(1, CONNECTION_STATE.connected)
    fixture.engine.disconnectClient(1, fixture.listClients(true)[0]?.id ?? 0)
    await until(() => fixture.listClients(true).length === 0, 'the publisher has left')
  }
  assert.equal(fixture.listClients(false).length, 1)
  assert.ok(player.isRunning())
})

test.run()
