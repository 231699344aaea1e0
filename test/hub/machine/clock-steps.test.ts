// Deadlines while the clock of the machine is set: it must neither end a change before its time nor leave it open.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { NETWORK_CONFIRM_SECONDS } from '../../../contract/limits.ts'
import { getFirewall, setFirewall } from '../../../contract/machine/firewall/firewall.ts'
import { SafeChange } from '../../../hub/machine/network/safe-change.ts'
import type { NetworkStore } from '../../../hub/store/network.ts'
import { networkStore } from '../../../hub/store/network.ts'
import { TestFirewall } from '../../kit/firewall/service.ts'
import { closeUpdaters, installUpdate, ONE, removeFolder, startUpdater } from '../../kit/hub/console-updater.ts'
import { startHub, type TestHub } from '../../kit/hub/hub.ts'
import { until } from '../../kit/until.ts'

const test = suite('deadlines and steps of the clock')

const HOUR = 3_600_000
const systemNow = Date.now
const CHECKPOINT = '/Checkpoint/1'

/** Sets the clock of this process. */
function setClock(step: number): void {
  Date.now = () => systemNow() + step
}

let firewall: TestFirewall
let hub: TestHub
test.before.each(async () => {
  firewall = new TestFirewall()
  await firewall.start()
  hub = await startHub({ machine: 'manage', firewallSocket: firewall.socket })
})
test.after.each(async () => {
  Date.now = systemNow
  closeUpdaters()
  await hub.close()
  await firewall.close()
})
test.after(removeFolder)

/** A NetworkManager with a checkpoint, in memory. */
class FakeManager {
  hasCheckpoint = true
  createCheckpoint = async () => CHECKPOINT
  objects = async () => ({
    get: (_path: string, kind: string) =>
      kind === 'Connection.Active' ? { State: 2 } : this.hasCheckpoint ? {} : undefined
  })
}

function openSafeChange(manager: FakeManager, store: NetworkStore): SafeChange {
  const hooks = { onAddressChange() {}, onChange() {}, onOutcome() {} }
  return new SafeChange({ watchSignal: async () => () => {} } as never, manager as never, store, hooks)
}

/** Begins a change, and waits until it is in effect. */
async function beginChange(safeChange: SafeChange): Promise<void> {
  const plan = {
    iface: 'eth0',
    devices: ['/Devices/1'] as [string],
    apply: async () => ({ connection: '/Settings/1', active: '/Active/1' })
  }
  safeChange.begin({ plan, by: 'Admin', ipaddr: '', overIface: false, request: { iface: 'eth0' } })
  await until(() => safeChange.observe()?.state === 'waiting', 'the change is in effect')
}

const secondsLeft = (safeChange: SafeChange) => safeChange.observe()?.['seconds-left'] ?? 0

test('a change of the network has its 60 s, whichever time the clock is set to, also after a restart of the hub', async () => {
  const manager = new FakeManager()
  const store = networkStore(hub.parts.store)
  const first = openSafeChange(manager, store)
  await beginChange(first)
  for (const step of [HOUR, -HOUR]) {
    setClock(step)
    const restarted = openSafeChange(manager, store)
    await restarted.resume()
    for (const safeChange of [first, restarted]) {
      const seconds = secondsLeft(safeChange)
      assert.ok(seconds > NETWORK_CONFIRM_SECONDS - 10 && seconds <= NETWORK_CONFIRM_SECONDS, `${step}: ${seconds} s`)
    }
    restarted.close()
  }
  first.close()
})

test('a change of the network ends in time if the clock was set back and the hub restarted', async () => {
  const manager = new FakeManager()
  const store = networkStore(hub.parts.store)
  const first = openSafeChange(manager, store)
  await beginChange(first)
  first.close()
  const change = store.current()
  assert.ok(change)
  // 59 s later.
  store.setCurrent({ ...change, deadline: change.deadline - 59_000 })
  setClock(-HOUR)
  const restarted = openSafeChange(manager, store)
  await restarted.resume()
  assert.ok(secondsLeft(restarted) <= 1)
  manager.hasCheckpoint = false
  await until(() => restarted.observe() === undefined, 'the change has ended')
  assert.deepEqual([store.outcome()?.outcome, store.outcome()?.reason], ['undone', 'not-confirmed'])
  restarted.close()
})

test('a change of the firewall that the service undid in time is not called interrupted if the clock was set back', async () => {
  const admin = hub.clientAs()
  for (const [step, passed, reason] of [
    [-HOUR, 59_000, 'not-confirmed'],
    [HOUR, 10_000, 'interrupted']
  ] as const) {
    assert.equal((await admin.send(setFirewall, { mode: 0, rules: [] })).change?.['seconds-left'], 60)
    const { settings } = hub.parts.store
    const change = settings.get('firewall-change')
    assert.ok(change)
    settings.set('firewall-change', { ...change, deadline: change.deadline - passed })
    setClock(step)
    assert.ok(((await admin.send(getFirewall, {})).change?.['seconds-left'] ?? 0) > 50)
    // The service goes back when it ends.
    await firewall.stop()
    await firewall.start()
    await until(async () => (await admin.send(getFirewall, {})).change === undefined, 'the hub knows that')
    const { last } = await admin.send(getFirewall, {})
    assert.deepEqual([last?.outcome, last?.reason], ['undone', reason])
    Date.now = systemNow
  }
})

test('the trial of a console has its 90 s, whichever time the clock is set to', async () => {
  const updater = startUpdater()
  await installUpdate(updater, ONE)
  for (const step of [HOUR, -HOUR]) {
    setClock(step)
    const { left = 0 } = updater.status().consoles.find(({ use }) => use === 'trial') ?? {}
    assert.ok(left > 80 && left <= 90, `${step}: ${left} s`)
  }
})

test.run()
