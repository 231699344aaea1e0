// Publishers and players of both protocols at the shared ports, with the real programs.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CONNECTION_STATE, RTMP, SRT } from '../../../contract/stream/protocols.ts'
import { decodeFrames } from '../../kit/engine/media.ts'
import { until } from '../../kit/until.ts'
import { fixture, fixtureForEach, pushedChannel } from './shared-ports-fixture.ts'

const test = suite('shared ports')

fixtureForEach(test)

for (const [name, push, protocol] of [
  ['SRT', 'pushSrt', SRT],
  ['RTMP', 'pushRtmp', RTMP]
] as const)
  test(`a publisher over ${name} is the channel's input, and is played over SRT and RTMP`, async () => {
    const { engine } = fixture
    engine.apply(pushedChannel())
    await fixture.openPorts()
    await fixture.waitForState(1, CONNECTION_STATE.waiting)
    const sender = fixture[push]()
    await fixture.waitForState(1, CONNECTION_STATE.connected)
    assert.deepEqual([fixture.listClients(true).length, fixture.listClients(true)[0]?.protocol], [1, protocol])
    assert.match(fixture.listClients(true)[0]?.address ?? '', /^127\.0\.0\.1/)
    const decoded = await Promise.all([
      decodeFrames(fixture.srtUrl(), 10, ['-srt_streamid', 'play.srt/live/PLAY-1']),
      decodeFrames(fixture.rtmpUrl('PLAY-1'))
    ])
    for (const frames of decoded) {
      assert.equal(frames.codec, 'h264', frames.log)
      assert.ok(frames.distinctFrames > 6, frames.log)
    }
    await until(() => fixture.listClients(false).length === 0, 'the players have left')
    const rate = () => fixture.listClients(true)[0]?.kbps ?? 0
    await until(
      () => rate() > 100 && rate() < 1000,
      () => `the rate of the clip: ${rate()} kbps`
    )
    // Only SRT counts packets, and reports them once a second.
    const packets = () => engine.legStats(1)?.report(rate()).packets ?? 0
    if (protocol === SRT) await until(() => packets() > 50, 'packets are counted')
    else assert.equal(packets(), 0)
    await sender.kill()
    await fixture.waitForState(1, CONNECTION_STATE.waiting)
    assert.deepEqual(fixture.listClients(true), [])
    fixture[push]()
    await fixture.waitForState(1, CONNECTION_STATE.connected)
  })

test('a channel with its own input is played, and refuses publishers', async () => {
  fixture.engine.apply(pushedChannel({}, { input: { id: 10, name: 'Camera', kind: 'device', sn: 'A1' } }))
  await fixture.openPorts()
  await fixture.waitForState(1, CONNECTION_STATE.connected)
  await Promise.all([fixture.pushSrt().exited, fixture.pushRtmp().exited])
  assert.deepEqual(fixture.listClients(true), [])
  assert.ok((await decodeFrames(fixture.srtUrl(), 5, ['-srt_streamid', 'PLAY-1'])).distinctFrames > 2)
})

test('a second publisher is refused over both protocols', async () => {
  fixture.engine.apply(pushedChannel())
  await fixture.openPorts()
  const first = fixture.pushRtmp()
  await fixture.waitForState(1, CONNECTION_STATE.connected)
  await Promise.all([fixture.pushRtmp().exited, fixture.pushSrt().exited])
  assert.ok(first.isRunning())
  await first.kill()
  await until(() => fixture.listClients(true).length === 0, 'the publisher has left')
  const second = fixture.pushSrt()
  await fixture.waitForState(1, CONNECTION_STATE.connected)
  await fixture.pushRtmp().exited
  assert.ok(second.isRunning() && fixture.listClients(true)[0]?.protocol === SRT)
})

test('players are listed with their bitrate, and disconnecting one does not disturb the others', async () => {
  const { engine } = fixture
  engine.apply(pushedChannel())
  await fixture.openPorts()
  fixture.pushSrt()
  await fixture.waitForState(1, CONNECTION_STATE.connected)
  const [first, second] = [fixture.playSrt(), fixture.playSrt()]
  const third = fixture.playRtmp()
  await until(
    () =>
      fixture.listClients(false).length === 3 &&
      fixture.listClients(false).every((client) => client.kbps > 100 && client.kbps < 1000),
    () => `all players receive data: ${JSON.stringify(fixture.listClients(false))}`
  )
  const [srtPlayer] = fixture.listClients(false).filter((client) => client.protocol === SRT)
  assert.ok(!engine.disconnectClient(2, srtPlayer?.id ?? 0), 'the client does not belong to channel 2')
  assert.ok(engine.disconnectClient(1, srtPlayer?.id ?? 0))
  await until(() => first.isRunning() !== second.isRunning(), 'one player is disconnected')
  assert.ok(third.isRunning())
  const rtmpPlayer = fixture.listClients(false).find((client) => client.protocol === RTMP)
  assert.ok(engine.disconnectClient(1, rtmpPlayer?.id ?? 0))
  await third.exited
  await until(() => fixture.listClients(false).length === 1, 'one player is left')
  const publisher = fixture.listClients(true)[0]?.id ?? 0
  assert.ok(engine.disconnectClient(1, publisher))
  await fixture.waitForState(1, CONNECTION_STATE.waiting)
})

test.run()
