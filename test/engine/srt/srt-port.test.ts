// The SRT port with the real program and ffmpeg at the other ends.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { suite } from 'uvu'
import { createLauncher, type Launcher } from '../../../engine/process/launcher.ts'
import {
  createSrtPort,
  type PortKey,
  type SrtClient,
  type SrtPort,
  type SrtRefusal
} from '../../../engine/srt/srt-port.ts'
import { clip, endAll, look, type Running, run, until } from '../media.ts'

const test = suite('SRT port')

const PASSPHRASE = 'a word of honour'
const PUSH: PortKey = {
  ...{ token: 'push', sends: true, name: 'PUSH-1', passphrase: PASSPHRASE, keyLength: 16 },
  ...{ latency: 120, max: 1, from: [] }
}
const PLAY: PortKey = { ...PUSH, token: 'play', sends: false, name: 'PLAY-1', passphrase: '', keyLength: 0, max: 2 }

let launcher: Launcher
let port: SrtPort
let refusals: SrtRefusal[]
let players: Set<Socket>
let received: number
/** Processes of the port that were started. */
let started: number[]

test.before(() => {
  clip()
})
test.before.each(async () => {
  launcher = createLauncher()
  refusals = []
  players = new Set()
  received = 0
  started = []
  port = createSrtPort({
    launcher: {
      run(launch) {
        const process = launcher.run(launch)
        started.push(process.pid ?? 0)
        return process
      }
    },
    program: join(import.meta.dirname, '../../../build/headend-srt'),
    host: '127.0.0.1',
    port: 0,
    keyLength: 0,
    enter({ token }, socket) {
      if (token === 'push')
        socket.on('data', (data) => {
          received += data.length
          for (const player of players) player.write(data)
        })
      else players.add(socket)
      socket.once('close', () => players.delete(socket))
    },
    leave() {},
    refused: (refusal) => refusals.push(refusal),
    changed() {},
    now: () => performance.now()
  })
  port.set([PUSH, PLAY])
  await open()
})
test.after.each(async () => {
  await port.close()
  assert.equal(launcher.count(), 0)
})
test.after(endAll)

const open = () => until('the port is open', () => port.port() !== undefined)
const at = (more = '') => `srt://127.0.0.1:${port.port()}?pkt_size=1316${more}`
const of = (token: string) => port.clients().filter((client) => client.token === token)

function push(streamId: string, passphrase = PASSPHRASE): Running {
  const given = passphrase ? ['-passphrase', passphrase] : []
  return run([
    ...['-v', 'error', '-re', '-stream_loop', '-1', '-i', clip(), '-c', 'copy', '-f', 'mpegts'],
    ...['-srt_streamid', streamId, ...given, at()]
  ])
}

const one = async (token: string): Promise<SrtClient> => {
  await until(`${token} is there`, () => of(token).length > 0)
  return of(token)[0] as SrtClient
}

async function refused(sender: Running): Promise<string | undefined> {
  const before = refusals.length
  await until('it is refused', () => refusals.length > before)
  await sender.done
  return refusals.at(-1)?.why
}

test('a stream goes in under its key and out under another, with all the ways to name one', async () => {
  const names = ['publish.srt/live/PUSH-1', '#!::r=live/PUSH-1,m=publish', 'live/PUSH-1', 'PUSH-1']
  for (const name of names) {
    const sender = push(name)
    await one('push')
    if (name === 'PUSH-1') break
    await sender.kill()
    await until('it has left', () => of('push').length === 0)
  }
  for (const name of ['play.srt/live/PLAY-1', '#!::m=request,r=PLAY-1']) {
    const seen = await look(at(), 10, ['-srt_streamid', name])
    assert.equal(seen.codec, 'h264', seen.text)
    assert.ok(seen.different > 6, seen.text)
  }
})

test('who sends a stream id as it stands in a URL is understood, too', async () => {
  port.set([{ ...PUSH, name: 'a&b%41', max: 3 }])
  for (const name of ['publish.srt/live/a%26b%2541', '%23!%3A%3Ar%3Da%26b%2541%2Cm%3Dpublish', 'a&b%41']) push(name)
  await until('all are let in', () => of('push').length === 3)
  assert.equal(await refused(push('a%26b%')), 'key')
  assert.equal(await refused(push('a&b%4')), 'key')
})

test('figures are those of the connection: bytes within 5 % of what arrived', async () => {
  push('PUSH-1')
  const client = await one('push')
  // What has come when they are told: SRT holds back a latency's worth of it.
  const told = () => client.figures?.bytes ?? 0
  await until('figures came', () => told() > 200_000)
  const before = told()
  await until('they come again', () => told() > before)
  const [arrived, { figures }] = [received, client]
  const heldBack = arrived / 25
  assert.ok(figures && Math.abs(figures.bytes - arrived) < 0.05 * arrived + heldBack, `${figures?.bytes} of ${arrived}`)
  assert.ok(figures.packets >= figures.bytes / 1316, `${figures.packets} packets`)
  assert.equal(figures.dropped, 0)
  assert.ok(figures.rtt >= 0 && figures.latency >= 120)
})

test('who has no key, the wrong one, another passphrase or comes from elsewhere is refused, and why is told', async () => {
  port.set([PUSH, PLAY, { ...PLAY, token: 'far', name: 'PLAY-2', from: ['10.0.0.0/8', '192.168.1.7'] }])
  assert.equal(await refused(push('PUSH-9')), 'key')
  assert.equal(await refused(push('publish.srt/live/PLAY-1', '')), 'mode')
  assert.equal(await refused(push('PLAY-2', '')), 'forbidden')
  assert.equal(await refused(push('PUSH-1', 'another word')), 'passphrase')
  assert.equal(await refused(push('PUSH-1', '')), 'passphrase')
  assert.deepEqual(port.clients(), [])
})

test('a stream has one sender; one more than may watch is refused, and the others stay', async () => {
  const first = push('PUSH-1')
  await one('push')
  assert.equal(await refused(push('PUSH-1')), 'busy')
  const watching = [1, 2].map(() => run(['-v', 'error', '-srt_streamid', 'PLAY-1', '-i', at(), '-f', 'null', '-']))
  await until('both watch', () => of('play').length === 2)
  const third = run(['-v', 'error', '-srt_streamid', 'PLAY-1', '-i', at(), '-f', 'null', '-'])
  assert.equal(await refused(third), 'full')
  assert.ok(first.running() && watching.every((each) => each.running()))
})

test('one that is thrown out is gone, and the others stay; a key that is gone takes its bearers with it', async () => {
  const sender = push('PUSH-1')
  await one('push')
  const watching = run(['-v', 'error', '-srt_streamid', 'PLAY-1', '-i', at(), '-f', 'null', '-'])
  port.drop((await one('play')).id)
  await watching.done
  await until('it has left', () => of('play').length === 0)
  assert.ok(sender.running())
  port.set([PLAY])
  await sender.done
  await until('it has left', () => of('push').length === 0)
})

test('a port whose program is killed opens again, knows its keys, and those who were there are said to have left', async () => {
  const sender = push('PUSH-1')
  await one('push')
  process.kill(started[0] ?? 0, 'SIGKILL')
  await until('nobody is there', () => port.clients().length === 0 && port.port() === undefined)
  await open()
  await sender.done
  push('PUSH-1')
  await one('push')
})

test('no secret is in the list of processes', async () => {
  for (const pid of started) {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    assert.doesNotMatch(words, /honour|PUSH-1|PLAY-1/)
  }
})

test('what could end a line is no key', () => {
  assert.throws(() => port.set([{ ...PUSH, name: 'a\nkey' }]), /push holds/)
})

test.run()
