// Kills every kind of process that carries media, then the process of the engine, then a peer. All legs must be
// connected again within ten seconds, and no process may outlive its parent.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CONNECTION_STATE, RTMP, RTSP, SRT } from '../../../contract/stream/protocols.ts'
import type { WantedChannel } from '../../../engine/interfaces/channel.ts'
import { type RunningProcess, sendClip, setUpMedia } from '../../kit/engine/media.ts'
import { channel, urlInput } from '../../kit/engine/wanted-channels.ts'
import { freeTcpPort, freeUdpPort } from '../../kit/net/free-port.ts'
import { ownTime } from '../../kit/own-time.ts'
import { childrenOf, commandLineOf } from '../../kit/system-processes.ts'
import { until } from '../../kit/until.ts'
import { type RemoteEngine, startRemoteEngine } from '../remote-engine.ts'

const test = suite('killed processes')

/** Longest recovery of all legs. */
const RECOVERY_MS = 10_000

setUpMedia(test)

const KINDS: Readonly<Record<string, RegExp>> = {
  'ffmpeg input': /^[^\0]*ffmpeg\0.*\0pipe:1\0$/,
  'ffmpeg output': /^[^\0]*ffmpeg\0.*\0pipe:0\0/,
  'SRT caller': /headend-srt\0call\0/,
  'SRT port': /headend-srt\0port\0/,
  nginx: /^[^\0]*nginx(\0|:)/
}
const kindOf = (pid: number) => Object.entries(KINDS).find(([, pattern]) => pattern.test(commandLineOf(pid)))?.[0]

/** Returns the child processes of a process by their kind. */
function processesByKind(parent: number): Map<string, number[]> {
  const pidsByKind = new Map<string, number[]>(Object.keys(KINDS).map((kind) => [kind, []]))
  for (const pid of childrenOf(parent)) pidsByKind.get(kindOf(pid) ?? '')?.push(pid)
  return pidsByKind
}
const describeCounts = (parent: number) =>
  JSON.stringify([...processesByKind(parent)].map(([kind, pids]) => [kind, pids.length]))

/** IDs of the legs in the report. Leg 1 receives from a peer, and all others depend on it. */
const LEGS = [1, 2, 3, 4, 6, 12, 13, 15]

async function createWantedState(): Promise<{ sender: number; channels(rtmp: number): WantedChannel[] }> {
  const [sender, listener, listens] = [await freeUdpPort(), await freeUdpPort(), await freeUdpPort()]
  const rtsp = await freeTcpPort()
  const access = { 'push-key': 'PUSH', 'play-key': 'PLAY', srt: true, rtmp: true, 'allow-ip': [] }
  return {
    sender,
    channels: (rtmp) => [
      channel(1, urlInput(101, `srt://:${sender}?mode=listener`), [
        { id: 11, name: 'A', protocol: SRT, config: { mode: 'listener', 'bind-port': listener } },
        { id: 12, name: 'B', protocol: RTSP, config: { port: rtsp, key: 'key' } },
        { id: 13, name: 'C', protocol: RTMP, config: { url: `rtmp://127.0.0.1:${rtmp}/live`, key: 'PUSH' } },
        { id: 15, name: 'D', protocol: SRT, config: { mode: 'caller', 'dst-ip': '127.0.0.1', 'dst-port': listens } }
      ]),
      { ...channel(2, { id: 0, name: 'Pushed', kind: 'pushed', channel: 2 }), access },
      channel(3, urlInput(103, `srt://127.0.0.1:${listener}?mode=caller`)),
      channel(4, urlInput(104, `rtsp://127.0.0.1:${rtsp}/key?mw-tcp-first=1`)),
      channel(6, urlInput(106, `srt://:${listens}?mode=listener`))
    ]
  }
}

async function startEngine(channels: (rtmp: number) => WantedChannel[], rtmp: number): Promise<RemoteEngine> {
  const engine = startRemoteEngine()
  engine.sendCommand({ ports: { srt: { port: 0, 'pb-key-len': 0, passphrase: '' }, rtmp: { port: rtmp } } })
  for (const apply of channels(rtmp)) engine.sendCommand({ apply })
  return engine
}

/**
 * The kinds that are killed at the same time, because their legs do not depend on each other. SRT detects a dead peer
 * after 5 s, and the back-off grows with each failure, so the last kind is tested with a new engine.
 */
const ROUNDS = [
  ['ffmpeg input', 'SRT caller'],
  ['ffmpeg output', 'nginx']
]
const LAST = ['SRT port']

test('all legs recover within ten seconds after any process is killed, and no process outlives its parent', async () => {
  const { sender, channels } = await createWantedState()
  const rtmp = await freeTcpPort()
  const push = () => sendClip('mpegts', `srt://127.0.0.1:${sender}?pkt_size=1316`)
  let peer: RunningProcess = push()
  let engine = await startEngine(channels, rtmp)
  let initialCounts: string | undefined
  /**
   * Waits until all legs are connected, with as many processes of each kind as at first, and none of the killed ones.
   */
  const waitForRecovery = async (cause: string, killed: readonly number[] = []) => {
    const took = await ownTime(() =>
      until(
        () =>
          (initialCounts === undefined || describeCounts(engine.pid) === initialCounts) &&
          !childrenOf(engine.pid).some((pid) => killed.includes(pid)) &&
          LEGS.every((id) => engine.lastReport().legs[id]?.connState === CONNECTION_STATE.connected),
        () =>
          `${cause}: ${describeCounts(engine.pid)} instead of ${initialCounts}, ${JSON.stringify(engine.lastReport())}`
      )
    )
    if (initialCounts !== undefined) assert.ok(took < RECOVERY_MS, `${cause}: recovered after ${took} ms`)
  }
  const killKinds = async (kinds: readonly string[]) => {
    const killedPids = kinds.flatMap((kind) => processesByKind(engine.pid).get(kind) ?? [])
    for (const pid of killedPids) process.kill(pid, 'SIGKILL')
    await waitForRecovery(kinds.join(), killedPids)
  }
  let isPeerGone = false
  /** Restarts the sender until it is accepted, as encoders do. */
  const restarting = setInterval(() => {
    if (!isPeerGone && !peer.isRunning()) peer = push()
  }, 500)
  try {
    await waitForRecovery('initial state')
    initialCounts = describeCounts(engine.pid)
    for (const [kind, pids] of processesByKind(engine.pid)) assert.ok(pids.length > 0, `${kind} in ${initialCounts}`)
    assert.deepEqual([...ROUNDS.flat(), ...LAST].sort(), Object.keys(KINDS).sort())
    for (const kinds of ROUNDS) await killKinds(kinds)
    const orphans = childrenOf(engine.pid)
    await engine.kill()
    await until(
      () => orphans.every((pid) => commandLineOf(pid) === ''),
      () => `the processes have ended: ${orphans.map(commandLineOf)}`
    )
    engine = await startEngine(channels, rtmp)
    await waitForRecovery('the engine', orphans)
    await killKinds(LAST)
    // A sender that is back at once takes the place of the silent one, and no loss is seen.
    isPeerGone = true
    await peer.kill()
    await until(() => engine.lastReport().legs[1]?.connState !== CONNECTION_STATE.connected, 'the loss is detected')
    isPeerGone = false
    await waitForRecovery('the peer')
  } finally {
    clearInterval(restarting)
    const remainingPids = childrenOf(engine.pid)
    await engine.kill()
    await until(() => remainingPids.every((pid) => commandLineOf(pid) === ''), 'all processes have ended')
  }
})

test.run()
