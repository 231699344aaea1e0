// Kills the hub at random moments while it writes: what was answered with 0 is there afterwards.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { listLog } from '../../contract/log.ts'
import { addChannel, channelDashboard, deleteChannels } from '../../contract/stream/channel.ts'
import { type HubProcess, startHubProcess } from '../kit/process.ts'

const test = suite('power loss')

const WRITES = 200
const KILLS = 6

test('every write that was answered with 0 survives SIGKILL at random moments, with its line in the log', async () => {
  const data = mkdtempSync(join(tmpdir(), 'headend-power-'))
  let hub: HubProcess | undefined
  try {
    hub = await startHubProcess(data)
    const kept = new Map<string, number>()
    /** Names whose write was cut off: they may be there or not. */
    const open = new Set<string>()
    let kills = 0
    let written = 0
    for (let n = 0; written < WRITES; n++) {
      const due = kills < KILLS && written >= (WRITES / (KILLS + 1)) * (kills + 1)
      const name = `channel ${n}`
      const victim: HubProcess = hub
      const write = victim.send(addChannel, { name })
      if (due) {
        kills++
        setTimeout(() => victim.child.kill('SIGKILL'), Math.random() * 12)
      }
      try {
        const { result, id } = await write
        assert.equal(result, 0)
        kept.set(name, id)
        written++
        if (n % 5 === 0) {
          open.add(name)
          kept.delete(name)
          if ((await victim.send(deleteChannels, { id })).result === 0) open.delete(name)
        }
      } catch (error) {
        if (!due && victim.child.signalCode === null) throw error
        if (!kept.has(name)) open.add(name)
      }
      if (due) {
        await victim.kill()
        hub = await startHubProcess(data)
        await verify(hub, kept, open)
      }
    }
    assert.equal(kills, KILLS)
    await hub.kill()
    hub = await startHubProcess(data)
    await verify(hub, kept, open)
  } finally {
    await hub?.kill()
    rmSync(data, { recursive: true })
  }
})

async function verify(hub: HubProcess, kept: Map<string, number>, open: Set<string>): Promise<void> {
  const { list } = await hub.send(channelDashboard, {})
  const there = new Map(list.map((channel) => [channel.name, channel.id]))
  for (const [name, id] of kept) assert.equal(there.get(name), id, `${name} was acknowledged`)
  for (const name of there.keys())
    assert.ok(kept.has(name) || open.has(name), `${name} was deleted, or never asked for`)
  const log = await hub.send(listLog, { type: 'operation', count: 10_000 })
  const logged = new Set(log.list.filter((line) => line.event === '/channel/add').map((line) => line.detail))
  for (const name of there.keys()) assert.ok(logged.has(name), `${name} has its line in the operation log`)
}

test.run()
