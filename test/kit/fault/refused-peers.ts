// Channels whose peer, or the hub, refuses the other end: a wrong key, a wrong stream ID, a wrong certificate.
import { connect } from 'node:net'
import { createServer, type TLSSocket } from 'node:tls'
import { addChannel, addChannelOutputs, enableChannel } from '../../../contract/stream/channel.ts'
import { RTMP } from '../../../contract/stream/protocols.ts'
import { addOutput } from '../../../contract/stream/source.ts'
import { systemStatus } from '../../../contract/system.ts'
import type { HubProcess } from '../hub/hub-process.ts'
import { freeUdpPort } from '../net/free-port.ts'
import { makePair } from '../tls/certificates.ts'
import { until } from '../until.ts'
import { type Fault, startChannel } from './faults.ts'
import { createCaller, createRtmpTarget, createUdpSource, createUdpTarget } from './media.ts'

type Hub = Pick<HubProcess, 'send'>

const REFUSED = 'down: not-authorized'
const AFTER_REFUSAL = {
  expected: { channel: REFUSED, input: REFUSED, outputs: [['waiting: input-silent']] },
  // Until the next call the connection has only ended.
  meanwhile: ['down: input-lost', 'down: disconnected', 'down: no-data'],
  problem: 'channel bad: not-authorized'
} as const

/** A publisher at the shared RTMP port that is started again with another key. */
export async function publishWithWrongKey(hub: Hub): Promise<Fault> {
  const title = 'wrong key'
  const key = 'PUSH-RIGHT-KEY'
  const { id } = await hub.send(addChannel, { name: title, config: { 'push-key': key } })
  const { id: output } = await hub.send(addOutput, { name: `${title} 0`, ...(await createUdpTarget()) })
  await hub.send(addChannelOutputs, { id, outputs: [output] })
  await hub.send(enableChannel, { id, enable: true })
  const port = await until(
    async () => (await hub.send(systemStatus, {})).status.system.ports?.rtmp.port,
    'the RTMP port is open'
  )
  const publisher = createCaller('flv', (name) => `rtmp://127.0.0.1:${port}/live/${name}`, key)
  return {
    title,
    channel: id,
    cause: () => publisher.call('PUSH-OTHER-KEY'),
    mend: () => publisher.call(key),
    ...AFTER_REFUSAL
  }
}

/** A sender to an SRT listener that is started again with another stream ID. */
export async function callWithWrongStreamId(hub: Hub): Promise<Fault> {
  const [title, port] = ['wrong stream ID', await freeUdpPort()]
  const input = `srt://:${port}?mode=listener&streamid=stage`
  const channel = await startChannel(hub, title, input, [await createUdpTarget()])
  const urlOf = (id: string) => `srt://127.0.0.1:${port}?streamid=${id}&pkt_size=1316`
  const sender = createCaller('mpegts', urlOf, 'stage')
  return { title, channel, cause: () => sender.call('other'), mend: () => sender.call('stage'), ...AFTER_REFUSAL }
}

/** An RTMPS target that is started again with the certificate of another server. */
export async function showWrongCertificate(hub: Hub): Promise<Fault & { close(): void }> {
  const title = 'wrong certificate'
  const authority = makePair({ name: 'Own CA', names: '', isAuthority: true })
  const [right, wrong] = ['localhost', 'other.example'].map((name) => makePair({ name, issuer: authority }))
  const [source, target] = [await createUdpSource(), await createRtmpTarget()]
  const { port: targetPort } = new URL((target.output.config as { url: string }).url)
  const connections = new Set<TLSSocket>()
  const server = createServer({ ...right }, (socket) => {
    const behind = connect(Number(targetPort), '127.0.0.1')
    connections.add(socket)
    socket.on('error', () => behind.destroy()).on('close', () => behind.destroy())
    behind.on('error', () => socket.destroy()).on('close', () => socket.destroy())
    socket.pipe(behind).pipe(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const show = (pair: typeof right) => {
    server.setSecureContext({ ...pair })
    for (const socket of connections) socket.destroy()
    connections.clear()
  }
  const config = {
    url: `rtmps://localhost:${port}/live`,
    key: 'k',
    'certificate-check': 'own-ca',
    'trusted-certificates': authority.cert
  } as const
  return {
    title,
    channel: await startChannel(hub, title, source.url, [{ protocol: RTMP, config }, await createUdpTarget()]),
    cause: () => show(wrong),
    mend: () => show(right),
    expected: {
      channel: 'degraded: outputs-failed',
      input: 'on-air',
      outputs: [['down: peer-wrong-name'], ['on-air']]
    },
    // Until the output connects again.
    meanwhile: ['output 1 down: disconnected', 'output 1 down: refused', 'output 1 starting'],
    problem: 'output warn: peer-wrong-name',
    close: () => server.close()
  }
}
