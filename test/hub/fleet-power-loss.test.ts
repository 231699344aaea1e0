// Kills the hub while devices connect and users accept or reject them. Acknowledged decisions survive, and all devices come back.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { acceptDevices, listDevices, rejectDevices, setFavorite } from '../../contract/device/device.ts'
import { systemStatus } from '../../contract/system.ts'
import { helloOf } from '../kit/device.ts'
import { dial, type LinkDevice } from '../kit/link-device.ts'
import { type HubProcess, startHubProcess } from '../kit/process.ts'

const test = suite('power loss with devices')
const DEVICES = 40
const KILLS = 2
const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

test('acknowledged decisions survive SIGKILL under load, and every device comes back in its state', async () => {
  const data = mkdtempSync(join(tmpdir(), 'headend-power-'))
  let hub: HubProcess = await startHubProcess(data)
  const ports = { web: Number(new URL(hub.url).port), link: hub.linkPort }
  const links: LinkDevice[] = []
  let over = false

  /** A device that dials again and again, as long as it is let in. */
  async function live(index: number): Promise<void> {
    while (!over) {
      const link = await dial(ports.link, helloOf(index)).catch(() => undefined)
      if (link) {
        links[index] = link
        await link.closed
      }
      await wait(20 + Math.random() * 60)
    }
  }

  const living = Array.from({ length: DEVICES }, (_, index) => live(index))
  /** What was acknowledged last of each serial, and what was asked and not answered. */
  const accepted = new Set<string>()
  const rejected = new Set<string>()
  const favorites = new Set<string>()
  const open = new Set<string>()
  try {
    for (let kill = 0; kill < KILLS; kill++) {
      let killed = false
      const victim = hub
      const asking = (async () => {
        for (let turn = 0; !killed || turn === 0; turn++) {
          const { list } = await victim.send(listDevices, { 'reg-state': 'waiting' })
          const some = list.slice(0, 2).map(({ sn }) => sn)
          if (some.length === 0) await wait(5)
          else {
            const [into, call] =
              turn % 4 === 3 ? ([rejected, rejectDevices] as const) : ([accepted, acceptDevices] as const)
            for (const sn of some) open.add(sn)
            if ((await victim.send(call, { sn: some })).result === 0)
              for (const sn of some) {
                into.add(sn)
                open.delete(sn)
              }
          }
          const [favorite] = [...accepted].slice(-1)
          if (favorite && (await victim.send(setFavorite, { sn: [favorite], favorite: true })).result === 0)
            favorites.add(favorite)
        }
      })().catch((error) => {
        if (!killed) throw error
      })
      // Some decisions are there when it ends, and not all.
      while (accepted.size < (kill + 1) * 10) await Promise.race([wait(5), asking])
      killed = true
      await victim.kill()
      await asking
      hub = await startHubProcess(data, ports)
      const of = async (state: 'accepted' | 'rejected') => (await hub.send(listDevices, { 'reg-state': state })).list
      const [yes, no] = [await of('accepted'), await of('rejected')]
      for (const sn of accepted)
        assert.ok(
          yes.some((one) => one.sn === sn),
          `${sn} was accepted`
        )
      for (const sn of rejected)
        assert.ok(
          no.some((one) => one.sn === sn),
          `${sn} was rejected`
        )
      for (const sn of favorites) assert.ok(yes.find((one) => one.sn === sn)?.['is-favorite'], `${sn} was marked`)
      for (const { sn } of yes) assert.ok(accepted.has(sn) || open.has(sn), `${sn} was accepted by nobody`)
    }
    const expected = async () => (await hub.send(listDevices, { 'reg-state': 'accepted' })).total
    for (const began = performance.now(); ; await wait(20)) {
      const { status } = await hub.send(systemStatus, {})
      const { 'num-online': online, 'num-all': all } = status.system.device
      if (online === all && all === (await expected()) && all >= accepted.size) break
      assert.ok(performance.now() - began < 10_000, `${online} of ${all} came back`)
    }
  } finally {
    over = true
    await hub.kill()
    for (const link of links) link?.session.destroy()
    await Promise.all(living)
    rmSync(data, { recursive: true })
  }
})

test.run()
