// Kills the hub at random moments while it writes. Writes for which the hub returned result 0 survive.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { SUCCESS } from '../../contract/codes.ts'
import { listLog } from '../../contract/log.ts'
import { addChannel, channelDashboard, deleteChannels } from '../../contract/stream/channel.ts'
import { type HubProcess, startHubProcess } from '../kit/hub/hub-process.ts'

const test = suite('power loss')

const WRITES = 200
const KILLS = 6

test('every write acknowledged with result 0 survives SIGKILL at random moments, with its line in the log', async () => {
  const data = mkdtempSync(join(tmpdir(), 'headend-power-'))
  let hub: HubProcess | undefined
  try {
    hub = await startHubProcess(data)
    const acknowledged = new Map<string, number>()
    /** Names whose write was interrupted: they may exist or not. */
    const undecided = new Set<string>()
    let kills = 0
    let writeCount = 0
    for (let n = 0; writeCount < WRITES; n++) {
      const due = kills < KILLS && writeCount >= (WRITES / (KILLS + 1)) * (kills + 1)
      const name = `channel ${n}`
      const victim: HubProcess = hub
      const write = victim.send(addChannel, { name })
      if (due) {
        kills++
        setTimeout(() => victim.child.kill('SIGKILL'), Math.random() * 12)
      }
      try {
        const { result, id } = await write
        assert.equal(result, SUCCESS)
        acknowledged.set(name, id)
        writeCount++
        if (n % 5 === 0) {
          undecided.add(name)
          acknowledged.delete(name)
          if ((await victim.send(deleteChannels, { id })).result === SUCCESS) undecided.delete(name)
        }
      } catch (error) {
        if (!due && victim.child.signalCode === null) throw error
        if (!acknowledged.has(name)) undecided.add(name)
      }
      if (due) {
        await victim.kill()
        hub = await startHubProcess(data)
        await verify(hub, acknowledged, undecided)
      }
    }
    assert.equal(kills, KILLS)
    await hub.kill()
    hub = await startHubProcess(data)
    await verify(hub, acknowledged, undecided)
  } finally {
    await hub?.kill()
    rmSync(data, { recursive: true })
  }
})

async function verify(hub: HubProcess, acknowledged: Map<string, number>, undecided: Set<string>): Promise<void> {
  const { list } = await hub.send(channelDashboard, {})
  const existing = new Map(list.map((channel) => [channel.name, channel.id]))
  for (const [name, id] of acknowledged) assert.equal(existing.get(name), id, `${name} was acknowledged`)
  for (const name of existing.keys())
    assert.ok(acknowledged.has(name) || undecided.has(name), `${name} was deleted, or never created`)
  const log = await hub.send(listLog, { type: 'operation', count: 10_000 })
  const loggedNames = new Set(log.list.filter((line) => line.event === '/channel/add').map((line) => line.detail))
  for (const name of existing.keys()) assert.ok(loggedNames.has(name), `${name} has its line in the operation log`)
}

test.run()
