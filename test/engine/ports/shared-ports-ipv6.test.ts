// The shared ports and outputs at all addresses (`HOST=::`), with clients over IPv6 and IPv4.
import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { suite } from 'uvu'
import { CONNECTION_STATE, RTSP, UDP } from '../../../contract/stream/protocols.ts'
import { FREE_ATTEMPTS } from '../../../engine/access/key-throttle.ts'
import { decodeFrames, sendClip } from '../../kit/engine/media.ts'
import { channel, urlInput } from '../../kit/engine/wanted-channels.ts'
import { freeTcpPort, freeUdpPort } from '../../kit/net/free-port.ts'
import { until } from '../../kit/until.ts'
import { fixture, fixtureForEach, pushedChannel } from './shared-ports-fixture.ts'

const test = suite('streams over IPv6')

fixtureForEach(test, { sharedHost: '::', outputHost: '::', pushHost: '::' })

const HOSTS = ['[::1]', '127.0.0.1']
const srtUrl = (host: string) => `srt://${host}:${fixture.engine.observePorts().srt.port}?pkt_size=1316`
const rtmpUrl = (host: string, key: string) => `rtmp://${host}:${fixture.engine.observePorts().rtmp.port}/live/${key}`

test('one SRT port and one RTMP port take clients over IPv6 and IPv4, whose addresses are written as such', async () => {
  const { engine } = fixture
  engine.apply(pushedChannel())
  await fixture.openPorts()
  const publisher = () => fixture.listClients(true)[0]?.address ?? ''
  for (const host of HOSTS)
    for (const push of [
      () => sendClip('mpegts', '-srt_streamid', 'PUSH-1', srtUrl(host)),
      () => sendClip('flv', rtmpUrl(host, 'PUSH-1'))
    ]) {
      const sender = push()
      await until(() => publisher() !== '', 'the publisher')
      assert.match(publisher(), host === '[::1]' ? /^(\[::1\]:\d+|::1)$/ : /^127\.0\.0\.1(:\d+)?$/)
      await fixture.waitForState(1, CONNECTION_STATE.connected)
      assert.ok((await decodeFrames(srtUrl(host), 5, ['-srt_streamid', 'PLAY-1'])).distinctFrames > 2, host)
      assert.ok((await decodeFrames(rtmpUrl(host, 'PLAY-1'), 5)).distinctFrames > 2, host)
      await sender.kill()
      await until(() => publisher() === '', 'the publisher has left')
    }
})

test('a list of allowed addresses counts for both families', async () => {
  const { engine } = fixture
  engine.apply(pushedChannel({ 'allow-ip': ['::/64', '10.0.0.0/8'] }))
  await fixture.openPorts()
  const isRefused = async (host: string) => {
    const sender = sendClip('mpegts', '-srt_streamid', 'PUSH-1', srtUrl(host))
    await until(() => !sender.isRunning() || fixture.listClients(true).length > 0, 'an answer')
    const refused = fixture.listClients(true).length === 0
    await sender.kill()
    await until(() => fixture.listClients(true).length === 0, 'nobody publishes')
    return refused
  }
  assert.deepEqual([await isRefused('[::1]'), await isRefused('127.0.0.1')], [false, true])
  engine.apply(pushedChannel({ 'allow-ip': ['2001:db8::/32', '127.0.0.0/8'] }))
  assert.deepEqual([await isRefused('[::1]'), await isRefused('127.0.0.1')], [true, false])
})

test('guessing SRT keys over IPv6 blocks the client, and no client over IPv4', async () => {
  fixture.engine.apply(pushedChannel())
  await fixture.openPorts()
  for (let index = 0; index < FREE_ATTEMPTS; index++)
    await sendClip('mpegts', '-srt_streamid', `GUESS-${index}`, srtUrl('[::1]')).exited
  await sendClip('mpegts', '-srt_streamid', 'PUSH-1', srtUrl('[::1]')).exited
  sendClip('mpegts', '-srt_streamid', 'PUSH-1', srtUrl('127.0.0.1'))
  await fixture.waitForState(1, CONNECTION_STATE.connected)
})

test('a UDP input receives over both, a UDP output sends to an IPv6 address, and RTSP plays over it by UDP', async () => {
  const { engine } = fixture
  const [from, to, rtspPort] = [await freeUdpPort(), await freeUdpPort(), await freeTcpPort()]
  const outputs = [
    { id: 3, name: 'Out', protocol: UDP, config: { 'dst-ip': '::1', 'dst-port': to } },
    {
      id: 4,
      name: 'Play',
      protocol: RTSP,
      config: { port: rtspPort, key: 'eye', 'is-sub': false, 'enable-auth': false }
    }
  ]
  let received = 0
  const receiver = createSocket('udp6').on('message', ({ length }) => {
    received += length
  })
  receiver.bind(to, '::1')
  for (const host of HOSTS) {
    received = 0
    engine.apply(channel(1, urlInput(2, `udp://:${from}`), outputs as never))
    const sender = sendClip('mpegts', `udp://${host}:${from}?pkt_size=1316`)
    await fixture.waitForState(1, CONNECTION_STATE.connected)
    await until(() => received > 100_000, 'the output arrives')
    const played = await decodeFrames(`rtsp://${host}:${rtspPort}/eye`, 5, ['-rtsp_transport', 'udp'])
    assert.ok(played.distinctFrames > 2, played.log)
    await sender.kill()
    engine.apply({ ...channel(1, urlInput(2, `udp://:${from}`)), enable: false })
    await until(() => engine.observe(1).outputs.size === 0, 'the channel has stopped')
  }
  receiver.close()
})

test.run()
