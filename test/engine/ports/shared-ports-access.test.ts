// Access control at the shared ports.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { suite } from 'uvu'
import { CONNECTION_STATE } from '../../../contract/stream/protocols.ts'
import { decodeFrames, runProcess } from '../../kit/engine/media.ts'
import { freeTcpPort } from '../../kit/net/free-port.ts'
import { commandLineOf, readIfPresent } from '../../kit/system-processes.ts'
import { until } from '../../kit/until.ts'
import { fixture, fixtureForEach, PORT_SETTINGS, pushedChannel } from './shared-ports-fixture.ts'

const test = suite('shared ports: access')

fixtureForEach(test)

test('a changed key disconnects its clients, and disabled protocols and forbidden addresses are refused', async () => {
  const { engine } = fixture
  engine.apply(pushedChannel())
  await fixture.openPorts()
  const sender = fixture.pushSrt()
  await fixture.waitForState(1, CONNECTION_STATE.connected)
  const players = [fixture.playSrt(), fixture.playRtmp()]
  await until(() => fixture.listClients(false).length === 2, 'both players are listed')
  engine.apply(pushedChannel({ 'play-key': 'PLAY-2' }))
  await until(() => players.every((player) => !player.isRunning()), 'both players are disconnected')
  assert.ok(sender.isRunning(), 'the key of the publisher has not changed')
  engine.apply(pushedChannel({ 'play-key': 'PLAY-2', rtmp: false }))
  await fixture.playRtmp('PLAY-2').exited
  engine.apply(pushedChannel({ 'push-key': 'PUSH-2', 'allow-ip': ['10.0.0.0/8', '192.168.1.7'] }))
  await sender.exited
  await Promise.all([fixture.pushSrt('PUSH-2').exited, fixture.pushRtmp('PUSH-2').exited, fixture.playRtmp().exited])
  engine.apply(pushedChannel({ 'push-key': 'PUSH-2', 'allow-ip': ['127.0.0.0/24'] }))
  fixture.pushRtmp('PUSH-2')
  await fixture.waitForState(1, CONNECTION_STATE.connected)
})

test('disabling a channel disconnects its clients, and new ones are refused', async () => {
  fixture.engine.apply(pushedChannel())
  await fixture.openPorts()
  const clients = [fixture.pushRtmp()]
  await fixture.waitForState(1, CONNECTION_STATE.connected)
  clients.push(fixture.playRtmp())
  const srtPlayer = fixture.playSrt()
  await until(() => fixture.listClients(false).length === 2, 'both players are listed')
  fixture.engine.apply(pushedChannel({}, { enable: false }))
  await until(
    () => !srtPlayer.isRunning() && clients.every((client) => !client.isRunning()),
    'all clients are disconnected'
  )
  await Promise.all([fixture.pushRtmp().exited, fixture.pushSrt().exited, fixture.playRtmp().exited])
  assert.deepEqual(fixture.engine.observe(1).clients, [])
})

test('with a passphrase SRT clients must know it, and no key or passphrase is in the process list', async () => {
  fixture.engine.apply(pushedChannel())
  const passphrase = 'a word of honour'
  await fixture.openPorts({ srt: { port: 0, 'pb-key-len': 16, passphrase } })
  await fixture.pushSrt().exited
  await fixture.waitForState(1, CONNECTION_STATE.notAuthorized)
  assert.equal(fixture.engine.observe(1).reason, 'wrong-passphrase')
  fixture.pushRtmp()
  await fixture.waitForState(1, CONNECTION_STATE.connected)
  assert.ok(
    (await decodeFrames(fixture.srtUrl(), 5, ['-passphrase', passphrase, '-srt_streamid', 'PLAY-1'])).distinctFrames > 2
  )
  const player = fixture.playRtmp()
  await until(() => fixture.listClients(false).some((client) => client.kbps > 0), 'the player receives data')
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const parent = /^PPid:\t(\d+)$/m.exec(readIfPresent(`/proc/${pid}/status`))?.[1]
    const command = commandLineOf(pid)
    // The clients that the test starts have their keys in their arguments.
    if (Number(parent) === process.pid && !command.includes('-hide_banner\0-nostdin\0-v\0error'))
      assert.doesNotMatch(command, /PUSH-1|PLAY-1|honour|playpath/, command)
  }
  assert.ok(player.isRunning())
})

test('a stopped player does not delay the others', async () => {
  fixture.engine.apply(pushedChannel())
  await fixture.openPorts()
  fixture.pushSrt()
  await fixture.waitForState(1, CONNECTION_STATE.connected)
  const otherPlayer = fixture.playSrt()
  const key = ['-srt_streamid', 'PLAY-1']
  const stoppedPlayer = runProcess(['-v', 'error', ...key, '-i', fixture.srtUrl(), '-f', 'null', '-'])
  await until(
    () => fixture.listClients(false).filter((client) => client.kbps > 0).length === 2,
    'both players receive data'
  )
  process.kill(stoppedPlayer.pid, 'SIGSTOP')
  const bytesBefore = otherPlayer.bytes()
  await until(() => otherPlayer.bytes() > bytesBefore + 200_000, 'the other player receives more')
  assert.ok(otherPlayer.longestGapMs() < 2500, `${otherPlayer.longestGapMs()} ms without a byte`)
  process.kill(stoppedPlayer.pid, 'SIGCONT')
})

test('a port in use is reported while the other port works, and it opens when it is free', async () => {
  const { engine } = fixture
  const port = await freeTcpPort()
  const holder = createServer().listen(port, '127.0.0.1')
  engine.apply(pushedChannel())
  engine.configurePorts({ ...PORT_SETTINGS, rtmp: { port } })
  await until(() => engine.observePorts().rtmp.reason !== undefined, 'the port has failed')
  assert.deepEqual(engine.observePorts().rtmp, { reason: `port-taken ${port}` })
  fixture.pushSrt()
  await fixture.waitForState(1, CONNECTION_STATE.connected)
  await new Promise((resolve) => holder.close(resolve))
  engine.retryPorts()
  await until(() => engine.observePorts().rtmp.port === port, 'the port is open')
  const other = await freeTcpPort()
  engine.configurePorts({ ...PORT_SETTINGS, rtmp: { port: other } })
  await until(() => engine.observePorts().rtmp.port === other, 'the port has changed')
})

test.run()
