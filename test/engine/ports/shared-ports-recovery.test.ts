// What comes back at the shared ports: publishers, and the hub after it was killed, which leaves none of its programs behind.
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { addChannel, enableChannel, queryChannel } from '../../../contract/stream/channel.ts'
import { CONNECTION } from '../../../contract/stream/protocols.ts'
import { systemStatus } from '../../../contract/system.ts'
import { type HubProcess, startHubProcess } from '../../kit/process.ts'
import { childrenOf, commandOf } from '../../kit/system-processes.ts'
import { look, mediaFor, run, send, until } from '../media.ts'
import { createSharedBench, stage } from './shared-bench.ts'

const test = suite('shared ports, recovery')
mediaFor(test)

const foldersOf = (pid: number | undefined) =>
  readdirSync(tmpdir()).filter((name) => new RegExp(`^headend-(srt|rtmp)-${pid}-`).test(name))

async function portsOf(hub: HubProcess): Promise<{ srt: number; rtmp: number }> {
  for (;;) {
    const { ports } = (await hub.send(systemStatus, {})).status.system
    if (ports?.srt.port !== undefined && ports.rtmp.port !== undefined)
      return { srt: ports.srt.port, rtmp: ports.rtmp.port }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Pushes over RTMP until the channel carries. */
async function pushed(hub: HubProcess, id: number): Promise<{ srt: number; rtmp: number }> {
  const ports = await portsOf(hub)
  send('flv', `rtmp://127.0.0.1:${ports.rtmp}/live/PUSH-1`)
  while ((await hub.send(queryChannel, { id })).channel.input?.['conn-state'] !== CONNECTION.connected)
    await new Promise((resolve) => setTimeout(resolve, 50))
  return ports
}

test('players stay while the publisher is away, and are sent what it sends when it is back', async () => {
  const bench = createSharedBench()
  bench.engine.apply(stage())
  await bench.open()
  const first = bench.pushSrt()
  await bench.reaches(1, CONNECTION.connected)
  const players = [bench.watchSrt(), bench.watchRtmp()]
  const sent = () => bench.clients(false).filter((one) => one.kbps > 0).length
  await until('both are sent something', () => sent() === 2)
  await first.kill()
  await until('nobody sends, and nobody is sent anything', () => bench.clients(true).length + sent() === 0)
  bench.pushRtmp()
  await until(
    () => `both are sent something again: ${JSON.stringify(bench.clients(false))}`,
    () => sent() === 2
  )
  assert.ok(players.every((player) => player.running()))
  await bench.engine.close()
})

test('a hub that is killed takes its programs with it; started again it serves publishers and players', async () => {
  const data = mkdtempSync(join(tmpdir(), 'headend-kill-'))
  let hub = await startHubProcess(data)
  try {
    const config = { 'push-key': 'PUSH-1', 'play-key': 'PLAY-1' }
    const { id } = await hub.send(addChannel, { name: 'Hall', config })
    await hub.send(enableChannel, { id, enable: true })
    const ports = await pushed(hub, id)
    const watching = run(['-v', 'error', '-i', `rtmp://127.0.0.1:${ports.rtmp}/live/PLAY-1`, '-f', 'null', '-'])
    // The two ports, a leg that pulls, and one that pushes.
    await until('all its programs run', () => childrenOf(hub.child.pid ?? 0).length >= 4)
    const { pid } = hub.child
    const children = childrenOf(pid ?? 0)
    assert.equal(foldersOf(pid).length, 2)
    await hub.kill()
    await until(
      () => `they end: ${children.map((child) => commandOf(child))}`,
      () => children.every((child) => !existsSync(`/proc/${child}/exe`))
    )
    await watching.done
    hub = await startHubProcess(data)
    const again = await pushed(hub, id)
    const seen = await Promise.all([
      look(`srt://127.0.0.1:${again.srt}`, 8, ['-srt_streamid', 'PLAY-1']),
      look(`rtmp://127.0.0.1:${again.rtmp}/live/PLAY-1`, 8)
    ])
    for (const each of seen) assert.ok(each.different > 4, each.text)
    assert.deepEqual(foldersOf(pid), [])
  } finally {
    await hub.kill()
    rmSync(data, { recursive: true })
  }
})

test.run()
