// SRT listeners of single legs: several players of an output and one sender to an input, all ffmpeg.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { suite } from 'uvu'
import { CONNECTION_STATE, SOURCE_STATE, SRT } from '../../../contract/stream/protocols.ts'
import type { SrtOutput } from '../../../contract/stream/source.ts'
import { streamIdName } from '../../../engine/srt/dedicated-port.ts'
import { createFixture, fixture, fixtureForEach, replaceFixture } from '../../kit/engine/engine-fixture.ts'
import { decodeFrames, runProcess, sendClip, startReceiver } from '../../kit/engine/media.ts'
import { channel, urlInput } from '../../kit/engine/wanted-channels.ts'
import { freeUdpPort } from '../../kit/net/free-port.ts'
import { until } from '../../kit/until.ts'

const test = suite('SRT listeners')
const PASSPHRASE = 'a word of honour'

let port: number
fixtureForEach(test)
test.before.each(async () => {
  port = await freeUdpPort()
})

async function applyOutput(config: Partial<SrtOutput> = {}): Promise<void> {
  fixture.engine.apply({
    id: 1,
    name: 'Stage',
    enable: true,
    input: { id: 10, name: 'Camera', kind: 'device', sn: 'A1' },
    outputs: [{ id: 3, name: 'Out', protocol: SRT, config: { mode: 'listener', 'bind-port': port, ...config } }]
  })
  await fixture.waitForState(1, CONNECTION_STATE.connected)
  await fixture.waitForState(1, CONNECTION_STATE.waiting, 3)
}

const applyInput = (text: string) => fixture.engine.apply(channel(1, urlInput(2, text)))

const clientCount = () => fixture.engine.observe(1).outputs.get(3)?.clientNum
const url = () => `srt://127.0.0.1:${port}`

/** Returns the command lines of all headend-srt processes. */
function srtCommands(): string {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      } catch {
        return ''
      }
    })
    .filter((line) => line.includes('headend-srt'))
    .join('\n')
}

test('the name is extracted from every form of a stream ID', () => {
  for (const id of ['hall', 'live/hall', 'play.srt/live/hall', '#!::m=request,r=live/hall', '#!::r=hall'])
    assert.equal(streamIdName(id), 'hall', id)
  assert.equal(streamIdName(''), '')
})

test('an output serves the maximum number of players and refuses one more', async () => {
  await applyOutput({ 'max-client-num': 2 })
  const first = startReceiver(url())
  const second = startReceiver(url())
  await until(
    () => clientCount() === 2 && first.bytes() > 20_000 && second.bytes() > 20_000,
    'both players receive data'
  )
  const third = runProcess(['-v', 'error', '-i', url(), '-f', 'null', '-'])
  await third.exited
  assert.equal(clientCount(), 2)
  const { kbps } = fixture.engine.observe(1).outputs.get(3) ?? { kbps: 0 }
  assert.ok(kbps > 0)
  await until(
    () => fixture.engine.legStats(1, 3)?.report(kbps)['rtt-ms'] !== undefined,
    'the round-trip time is reported'
  )
})

test('players are listed with address, uptime and bitrate, can be disconnected, and only allowed addresses stay connected', async () => {
  const apply = (allowIp: string[], outputAllowIp?: string[]) =>
    fixture.engine.apply({
      id: 1,
      name: 'Stage',
      enable: true,
      input: { id: 10, name: 'Camera', kind: 'device', sn: 'A1' },
      outputs: [
        {
          id: 3,
          name: 'Out',
          protocol: SRT,
          config: { mode: 'listener', 'bind-port': port, ...(outputAllowIp && { 'allow-ip': outputAllowIp }) }
        }
      ],
      access: { 'push-key': 'PUSH-1', 'play-key': 'PLAY-1', srt: false, rtmp: false, 'allow-ip': allowIp }
    })
  apply([])
  await fixture.waitForState(1, CONNECTION_STATE.waiting, 3)
  const list = () => fixture.engine.observe(1).clients ?? []
  const players = [startReceiver(url()), startReceiver(url())]
  await until(() => list().length === 2 && list().every((player) => player.kbps > 50), 'both players receive data')
  const [first, second] = list()
  assert.deepEqual([first?.protocol, first?.outputId, first?.isPublisher], [SRT, 3, false])
  assert.match(first?.address ?? '', /^127\.0\.0\.1:\d+$/)
  assert.ok(fixture.engine.disconnectClient(1, first?.id ?? 0))
  await until(() => players.filter((player) => player.isRunning()).length === 1, 'one player is disconnected')
  apply(['127.0.0.0/8'])
  await until(
    () => list()[0]?.id === second?.id && list().every((player) => player.livingTimeS > 1),
    'the other player continues'
  )
  apply(['10.0.0.0/8'], ['127.0.0.1'])
  const uptime = list()[0]?.livingTimeS ?? 0
  await until(() => (list()[0]?.livingTimeS ?? 0) > uptime, 'the list of the output overrides that of the channel')
  assert.equal(list()[0]?.id, second?.id)
  apply(['10.0.0.0/8'])
  await until(
    () => list().length === 0 && players.every((player) => !player.isRunning()),
    'the other player is disconnected'
  )
  await runProcess(['-v', 'error', '-i', url(), '-f', 'null', '-']).exited
  assert.deepEqual(list(), [])
})

test('a caller with another stream ID, or with none, is named with its address at input and output, and logged once', async () => {
  const input = await freeUdpPort()
  await applyOutput({ 'stream-id': 'hall' })
  fixture.engine.apply(channel(2, urlInput(5, `srt://:${input}?mode=listener&streamid=stage`)))
  await fixture.waitForState(2, CONNECTION_STATE.waiting)
  const target = `srt://127.0.0.1:${input}?pkt_size=1316`
  const refusal = () => fixture.engine.observe(2).input
  const listed = () => fixture.events.filter(({ kind }) => kind === 'caller-refused')
  await sendClip('mpegts', '-srt_streamid', 'other', target).exited
  await until(() => refusal().reason === 'stream-id-refused other', 'the caller is named')
  assert.equal(refusal().connState, CONNECTION_STATE.waiting)
  assert.equal(refusal().refusal?.address, '127.0.0.1')
  await until(() => listed().length === 1, 'the refusal is an event')
  await runProcess(['-v', 'error', '-i', url(), '-f', 'null', '-']).exited
  await until(
    () => fixture.engine.observe(1).outputs.get(3)?.reason === 'stream-id-absent',
    'the output names its caller'
  )
  await until(() => listed().length === 2, 'the refusal is an event')
  assert.deepEqual(
    listed().map(({ channelId, name, reason, address }) => [channelId, name, reason, address]),
    [
      [2, 'Source 5', 'stream-id-refused other', '127.0.0.1'],
      [1, 'Out', 'stream-id-absent', '127.0.0.1']
    ]
  )
  sendClip('mpegts', '-srt_streamid', 'stage', target)
  await fixture.waitForState(2, CONNECTION_STATE.connected)
  assert.equal(refusal().refusal, undefined)
})

test('a stream key of this hub that is used at the port of another channel is masked', async () => {
  const input = await freeUdpPort()
  const access = { 'push-key': 'PUSH-SECRET', 'play-key': 'PLAY-SECRET', srt: true, rtmp: true, 'allow-ip': [] }
  fixture.engine.apply({ ...channel(1, { id: 0, name: 'Stage', kind: 'pushed', channel: 1 }), access })
  fixture.engine.apply(channel(2, urlInput(5, `srt://:${input}?mode=listener&streamid=stage`)))
  await fixture.waitForState(2, CONNECTION_STATE.waiting)
  await sendClip('mpegts', '-srt_streamid', 'PUSH-SECRET', `srt://127.0.0.1:${input}?pkt_size=1316`).exited
  await until(() => fixture.engine.observe(2).input.reason === 'stream-id-refused PU…', 'the caller is named')
})

test('ffmpeg does not replace headend-srt for an output with allowed addresses, because it cannot check them', async () => {
  await replaceFixture({ srtProgram: '/nowhere/headend-srt' })
  const config = { mode: 'listener' as const, 'bind-port': port }
  const apply = (access: Partial<SrtOutput>) =>
    fixture.engine.apply({
      id: 1,
      name: 'Stage',
      enable: true,
      input: { id: 10, name: 'Camera', kind: 'device', sn: 'A1' },
      outputs: [{ id: 3, name: 'Out', protocol: SRT, config: { ...config, ...access } }]
    })
  apply({})
  await fixture.waitForState(1, CONNECTION_STATE.waiting, 3)
  apply({ 'allow-ip': ['10.0.0.0/8'] })
  await runProcess(['-v', 'error', '-i', url(), '-f', 'null', '-']).exited
  assert.equal(clientCount(), 0)
})

test('players need the passphrase and the stream ID, which are not in the process list, and a wrong one is reported', async () => {
  await applyOutput({ enc: 'aes-256', passphrase: PASSPHRASE, 'stream-id': 'live/hall' })
  const wrongClient = runProcess([
    '-v',
    'error',
    '-srt_streamid',
    'hall',
    '-passphrase',
    'another word',
    '-i',
    url(),
    '-f',
    'null',
    '-'
  ])
  await fixture.waitForState(1, CONNECTION_STATE.notAuthorized, 3)
  assert.equal(fixture.engine.observe(1).outputs.get(3)?.reason, 'wrong-passphrase')
  await wrongClient.exited
  const other = runProcess([
    '-v',
    'error',
    '-srt_streamid',
    'foyer',
    '-passphrase',
    PASSPHRASE,
    '-i',
    url(),
    '-f',
    'null',
    '-'
  ])
  await other.exited
  assert.equal(clientCount(), 0)
  const decoded = await decodeFrames(url(), 10, ['-srt_streamid', 'play.srt/live/hall', '-passphrase', PASSPHRASE])
  assert.equal(decoded.codec, 'h264', decoded.log)
  assert.ok(srtCommands().includes('headend-srt'))
  assert.doesNotMatch(srtCommands(), /honour|hall/)
})

test('a port in use is a failure with its number', async () => {
  const holder = createFixture()
  holder.engine.apply({
    id: 1,
    name: 'Other',
    enable: true,
    input: { id: 10, name: 'Camera', kind: 'device', sn: 'A1' },
    outputs: [{ id: 3, name: 'Out', protocol: SRT, config: { mode: 'listener', 'bind-port': port } }]
  })
  await holder.waitForState(1, CONNECTION_STATE.waiting, 3)
  applyInput(`srt://127.0.0.1:${port}?mode=listener`)
  await fixture.waitForState(1, CONNECTION_STATE.creationFailed)
  const { state, reason } = fixture.engine.observe(1)
  assert.deepEqual([state, reason], [SOURCE_STATE.addFailed, `port-taken ${port}`])
  await holder.engine.close()
  await fixture.waitForState(1, CONNECTION_STATE.waiting)
})

test('an input accepts one sender with the right stream ID, and the next one after it has left', async () => {
  applyInput(`srt://127.0.0.1:${port}?mode=listener&streamid=hall&passphrase=${encodeURIComponent(PASSPHRASE)}`)
  await fixture.waitForState(1, CONNECTION_STATE.waiting)
  const passphraseArgs = ['-passphrase', PASSPHRASE]
  const stranger = sendClip('mpegts', '-srt_streamid', 'foyer', ...passphraseArgs, `${url()}?pkt_size=1316`)
  await stranger.exited
  assert.equal(fixture.engine.observe(1).connState, CONNECTION_STATE.waiting)
  for (let turn = 0; turn < 2; turn++) {
    const sender = sendClip('mpegts', '-srt_streamid', 'hall', ...passphraseArgs, `${url()}?pkt_size=1316`)
    await fixture.waitForState(1, CONNECTION_STATE.connected)
    if (turn === 0) {
      const second = sendClip('mpegts', '-srt_streamid', 'hall', ...passphraseArgs, `${url()}?pkt_size=1316`)
      await second.exited
      assert.ok(sender.isRunning())
    }
    assert.doesNotMatch(srtCommands(), /honour|hall/)
    await sender.kill('SIGTERM')
    await fixture.waitForState(1, CONNECTION_STATE.waiting)
  }
})

test.run()
