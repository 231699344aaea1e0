// Every kind of process that carries media is killed under its legs, then the peers, then what runs the engine: what is wanted is back within
// ten seconds, and nothing outlives its owner.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CONNECTION, RTMP, RTSP, SRT } from '../../../contract/stream/protocols.ts'
import type { Wanted } from '../../../engine/interfaces/channel.ts'
import { freeTcpPort, freeUdpPort } from '../../kit/free-port.ts'
import { childrenOf, commandOf } from '../../kit/system-processes.ts'
import { mediaFor, type Running, send, until } from '../media.ts'
import { startToldEngine, type ToldEngine } from '../recording-engine.ts'
import { channel, source } from '../wanted.ts'

const test = suite('killed')

/** Milliseconds after the end of a cause. */
const BACK = 10_000

mediaFor(test)

const KINDS: Readonly<Record<string, RegExp>> = {
  'ffmpeg that fetches': /^[^\0]*ffmpeg\0.*\0pipe:1\0$/,
  'ffmpeg that pushes': /^[^\0]*ffmpeg\0.*\0pipe:0\0/,
  'our SRT call': /headend-srt\0call\0/,
  'our SRT port': /headend-srt\0port\0/,
  nginx: /^[^\0]*nginx(\0|:)/
}
const kindOf = (pid: number) => Object.entries(KINDS).find(([, words]) => words.test(commandOf(pid)))?.[0]

/** What runs of each kind. */
function running(owner: number): Map<string, number[]> {
  const found = new Map<string, number[]>(Object.keys(KINDS).map((kind) => [kind, []]))
  for (const pid of childrenOf(owner)) found.get(kindOf(pid) ?? '')?.push(pid)
  return found
}
const counts = (owner: number) => JSON.stringify([...running(owner)].map(([kind, pids]) => [kind, pids.length]))

/** Legs by their ids. 1 comes from a peer, and all others from it. */
const LEGS = [1, 2, 3, 4, 6, 12, 13, 15]

async function wanted(): Promise<{ sender: number; channels(rtmp: number): Wanted[] }> {
  const [sender, listener, listens] = [await freeUdpPort(), await freeUdpPort(), await freeUdpPort()]
  const rtsp = await freeTcpPort()
  const door = { pushKey: 'PUSH', playKey: 'PLAY', srt: true, rtmp: true, allowIp: [] }
  return {
    sender,
    channels: (rtmp) => [
      channel(1, source(101, `srt://:${sender}?mode=listener`), [
        { id: 11, name: 'A', protocol: SRT, config: { mode: 'listener', 'bind-port': listener } },
        { id: 12, name: 'B', protocol: RTSP, config: { port: rtsp, key: 'key' } },
        { id: 13, name: 'C', protocol: RTMP, config: { url: `rtmp://127.0.0.1:${rtmp}/live`, key: 'PUSH' } },
        { id: 15, name: 'D', protocol: SRT, config: { mode: 'caller', 'dst-ip': '127.0.0.1', 'dst-port': listens } }
      ]),
      { ...channel(2, { id: 0, name: 'Pushed', kind: 'pushed', channel: 2 }), door },
      channel(3, source(103, `srt://127.0.0.1:${listener}?mode=caller`)),
      channel(4, source(104, `rtsp://127.0.0.1:${rtsp}/key?mw-tcp-first=1`)),
      channel(6, source(106, `srt://:${listens}?mode=listener`))
    ]
  }
}

async function started(channels: (rtmp: number) => Wanted[], rtmp: number): Promise<ToldEngine> {
  const engine = startToldEngine()
  engine.tell({ ports: { srt: { port: 0, 'pb-key-len': 0, passphrase: '' }, rtmp: { port: rtmp } } })
  for (const apply of channels(rtmp)) engine.tell({ apply })
  return engine
}

/**
 * What is killed at a time: kinds whose legs do not wait for each other. SRT takes 5 s to miss an end that died; those that have failed
 * lately wait longer, so the last one has an engine of its own.
 */
const ROUNDS = [
  ['ffmpeg that fetches', 'our SRT call'],
  ['ffmpeg that pushes', 'nginx']
]
const LAST = ['our SRT port']

test('whatever is killed, what is wanted is back within ten seconds, and nothing outlives its owner', async () => {
  const { sender, channels } = await wanted()
  const rtmp = await freeTcpPort()
  const push = () => send('mpegts', `srt://127.0.0.1:${sender}?pkt_size=1316`)
  let peer: Running = push()
  let engine = await started(channels, rtmp)
  /** Everybody carries, by as many processes of each kind as in the beginning, none of which is one of `dead`. */
  let count: string | undefined
  const carries = (what: string, dead: readonly number[] = []) =>
    until(
      () => `${what}: ${counts(engine.pid)} instead of ${count}, ${JSON.stringify(engine.seen())}`,
      () =>
        (count === undefined || counts(engine.pid) === count) &&
        !childrenOf(engine.pid).some((pid) => dead.includes(pid)) &&
        LEGS.every((id) => engine.seen().legs[id]?.connState === CONNECTION.connected),
      BACK
    )
  const without = async (kinds: readonly string[]) => {
    const dead = kinds.flatMap((kind) => running(engine.pid).get(kind) ?? [])
    for (const pid of dead) process.kill(pid, 'SIGKILL')
    await carries(kinds.join(), dead)
  }
  /** A peer that sends calls again until it is taken, as encoders do. */
  const calling = setInterval(() => {
    if (!peer.running()) peer = push()
  }, 500)
  try {
    await carries('the beginning')
    count = counts(engine.pid)
    for (const [kind, pids] of running(engine.pid)) assert.ok(pids.length > 0, `${kind} in ${count}`)
    assert.deepEqual([...ROUNDS.flat(), ...LAST].sort(), Object.keys(KINDS).sort())
    for (const kinds of ROUNDS) await without(kinds)
    const orphans = childrenOf(engine.pid)
    await engine.kill()
    await until(
      () => `they end: ${orphans.map(commandOf)}`,
      () => orphans.every((pid) => commandOf(pid) === ''),
      3000
    )
    engine = await started(channels, rtmp)
    await carries('the engine', orphans)
    await without(LAST)
    await peer.kill()
    await until('the loss is seen', () => engine.seen().legs[1]?.connState !== CONNECTION.connected)
    await carries('the peer')
  } finally {
    clearInterval(calling)
    const left = childrenOf(engine.pid)
    await engine.kill()
    await until('all end', () => left.every((pid) => commandOf(pid) === ''), 3000)
  }
})

test.run()
