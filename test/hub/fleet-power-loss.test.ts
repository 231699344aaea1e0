// Kills the hub while devices connect and users accept or reject them. Acknowledged decisions survive, and all devices
// connect again.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { SUCCESS } from '../../contract/codes.ts'
import { acceptDevices, listDevices, rejectDevices, setFavorite } from '../../contract/device/device.ts'
import { systemStatus } from '../../contract/system.ts'
import { connectLinkDevice, type LinkDevice } from '../kit/fleet/link-device.ts'
import { type HubProcess, startHubProcess } from '../kit/hub/hub-process.ts'
import { helloOf } from '../kit/hub/register-devices.ts'
import { until } from '../kit/until.ts'

const test = suite('power loss with devices')
const DEVICES = 40
const KILLS = 2
/** Milliseconds between two attempts of a device to connect. */
const DIAL_INTERVAL = 50

/** Acknowledged decisions, and decisions whose requests got no response. */
interface Decisions {
  accepted: Set<string>
  rejected: Set<string>
  favorites: Set<string>
  undecided: Set<string>
}

/** Devices that connect again whenever they lose their link. */
class DialingDevices {
  readonly #linkPort: number
  readonly #links: LinkDevice[] = []
  readonly #timer: NodeJS.Timeout
  /** Devices that are connected or connect, by their index. */
  readonly #attempts = new Map<number, Promise<void>>()

  constructor(linkPort: number, count: number) {
    this.#linkPort = linkPort
    this.#timer = setInterval(() => {
      for (let index = 0; index < count; index++)
        if (!this.#attempts.has(index)) this.#attempts.set(index, this.#connect(index))
    }, DIAL_INTERVAL)
  }

  async #connect(index: number): Promise<void> {
    const link = await connectLinkDevice(this.#linkPort, helloOf(index)).catch(() => undefined)
    if (link) {
      this.#links[index] = link
      await link.closed
    }
    this.#attempts.delete(index)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  async close(): Promise<void> {
    for (const link of this.#links) link?.session.destroy()
    await Promise.all(this.#attempts.values())
  }
}

/** Accepts or rejects up to two waiting devices, and marks an accepted one as favorite. */
async function decide(hub: HubProcess, turn: number, decisions: Decisions): Promise<void> {
  const { accepted, rejected, favorites, undecided } = decisions
  const { list } = await hub.send(listDevices, { 'reg-state': 'waiting' })
  const serials = list.slice(0, 2).map(({ sn }) => sn)
  if (serials.length > 0) {
    const [decided, call] = turn % 4 === 3 ? ([rejected, rejectDevices] as const) : ([accepted, acceptDevices] as const)
    for (const sn of serials) undecided.add(sn)
    if ((await hub.send(call, { sn: serials })).result === SUCCESS)
      for (const sn of serials) {
        decided.add(sn)
        undecided.delete(sn)
      }
  }
  const [favorite] = [...accepted].slice(-1)
  if (favorite && (await hub.send(setFavorite, { sn: [favorite], favorite: true })).result === SUCCESS)
    favorites.add(favorite)
}

async function assertDecisions(hub: HubProcess, decisions: Decisions): Promise<void> {
  const { accepted, rejected, favorites, undecided } = decisions
  const listState = async (state: 'accepted' | 'rejected') => (await hub.send(listDevices, { 'reg-state': state })).list
  const [acceptedNow, rejectedNow] = [await listState('accepted'), await listState('rejected')]
  for (const sn of accepted)
    assert.ok(
      acceptedNow.some((device) => device.sn === sn),
      `${sn} was accepted`
    )
  for (const sn of rejected)
    assert.ok(
      rejectedNow.some((device) => device.sn === sn),
      `${sn} was rejected`
    )
  for (const sn of favorites)
    assert.ok(acceptedNow.find((device) => device.sn === sn)?.['is-favorite'], `${sn} was marked as favorite`)
  for (const { sn } of acceptedNow) assert.ok(accepted.has(sn) || undecided.has(sn), `${sn} was never accepted`)
}

/** Waits until all accepted devices are online. */
async function waitForDevices(hub: HubProcess, accepted: ReadonlySet<string>): Promise<void> {
  const expected = async () => (await hub.send(listDevices, { 'reg-state': 'accepted' })).total
  let [online, all] = [0, 0]
  await until(
    async () => {
      const { status } = await hub.send(systemStatus, {})
      online = status.system.device['num-online']
      all = status.system.device['num-all']
      return online === all && all === (await expected()) && all >= accepted.size
    },
    () => `${online} of ${all} connected again`
  )
}

test('acknowledged decisions survive SIGKILL under load, and every device has its previous state after it reconnects', async () => {
  const data = mkdtempSync(join(tmpdir(), 'headend-power-'))
  let hub: HubProcess = await startHubProcess(data)
  const ports = { web: Number(new URL(hub.url).port), link: hub.linkPort }
  const devices = new DialingDevices(ports.link, DEVICES)
  const decisions: Decisions = {
    accepted: new Set(),
    rejected: new Set(),
    favorites: new Set(),
    undecided: new Set()
  }
  try {
    for (let kill = 0; kill < KILLS; kill++) {
      let isKilled = false
      const victim = hub
      const deciding = (async () => {
        for (let turn = 0; !isKilled || turn === 0; turn++) await decide(victim, turn, decisions)
      })().catch((error) => {
        if (!isKilled) throw error
      })
      // Kills the hub when some devices are accepted, and others are not.
      await until(() => decisions.accepted.size >= (kill + 1) * 10, 'some devices are accepted')
      isKilled = true
      await victim.kill()
      await deciding
      hub = await startHubProcess(data, ports)
      await assertDecisions(hub, decisions)
    }
    await waitForDevices(hub, decisions.accepted)
  } finally {
    devices.stop()
    await hub.kill()
    await devices.close()
    rmSync(data, { recursive: true })
  }
})

test.run()
