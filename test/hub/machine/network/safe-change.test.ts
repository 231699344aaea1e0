// Changes of the network with a NetworkManager in memory: stored data and reported outcome after a failed step.
import assert from 'node:assert/strict'
import { isIPv4 } from 'node:net'
import { mock } from 'node:test'
import { suite } from 'uvu'
import { IN_PROGRESS } from '../../../../contract/codes.ts'
import type { SetNetworkRequest } from '../../../../contract/machine/network.ts'
import { ActivationError } from '../../../../hub/machine/network/activation.ts'
import type { ChangePlan } from '../../../../hub/machine/network/change-plan.ts'
import { type ChangeRequest, SafeChange } from '../../../../hub/machine/network/safe-change.ts'
import { refusalText } from '../../../../hub/messages/machine.ts'
import { type NetworkStore, networkStore } from '../../../../hub/store/network.ts'
import { fillStorage } from '../../../kit/fault/full-storage.ts'
import { hub, hubForEach } from '../../../kit/hub/hub-for-each.ts'
import { until } from '../../../kit/until.ts'

const test = suite('changes of the network that fail')
hubForEach(test)

const CHECKPOINT = '/Checkpoint/1'
const CONNECTION = '/Settings/1'
const CLIENT = () => ({ localAddress: undefined, openedAt: performance.now() })

class FakeManager {
  readonly calls: string[] = []
  hasCheckpoint = false
  isAnswering = true
  /** Number of reads of its objects. */
  reads = 0
  /** `State` of the active connection: 1 activating, 2 activated. */
  state = 2
  /** Seconds after which NetworkManager goes back by itself. */
  checkpointSeconds = 0
  /** The next call with this name fails. */
  failing = ''

  #record(name: string): void {
    this.calls.push(name)
    if (this.failing !== name) return
    this.failing = ''
    throw new Error(`${name} failed`)
  }

  async createCheckpoint(_devices: readonly string[], seconds: number) {
    this.#record('createCheckpoint')
    this.checkpointSeconds = seconds
    this.hasCheckpoint = true
    return CHECKPOINT
  }

  async destroyCheckpoint() {
    this.#record('destroyCheckpoint')
    this.hasCheckpoint = false
  }

  async rollback() {
    this.#record('rollback')
    this.hasCheckpoint = false
  }

  save = async () => this.#record('save')
  remove = async () => this.#record('remove')

  async objects() {
    this.reads++
    if (!this.isAnswering) throw new Error('NetworkManager does not answer')
    const get = (_path: string, kind: string) =>
      kind === 'Connection.Active' ? { State: this.state } : this.hasCheckpoint ? {} : undefined
    return { get }
  }
}

let manager: FakeManager
let store: NetworkStore
const open: SafeChange[] = []
const systemNow = performance.now
test.before.each(() => {
  manager = new FakeManager()
  store = networkStore(hub.parts.store)
})
test.after.each(() => {
  performance.now = systemNow
  for (const each of open.splice(0)) each.close()
})

function openSafeChange(ofStore = store): SafeChange {
  const hooks = { onAddressChange() {}, onChange() {}, onOutcome() {} }
  const bus = { watchSignal: async () => () => {} }
  const safeChange = new SafeChange(bus as never, manager as never, ofStore, hooks)
  open.push(safeChange)
  return safeChange
}

const changeOf = (plan: Pick<ChangePlan, 'prepare' | 'apply'>, ipaddr = ''): ChangeRequest => ({
  plan: { iface: 'lo', devices: ['/Devices/1'], ...plan },
  by: 'Admin',
  ipaddr,
  overIface: false,
  request: { iface: 'lo' }
})

/** @param applied what the plan has changed */
function begin(safeChange: SafeChange, applied: Awaited<ReturnType<ChangePlan['apply']>>, ipaddr = ''): void {
  safeChange.begin(changeOf({ apply: async () => applied }, ipaddr))
}

const whenWaiting = (safeChange: SafeChange) =>
  until(() => safeChange.observe()?.state === 'waiting', 'the change is in effect')

const whenEnded = (safeChange: SafeChange) => until(() => !safeChange.observe(), 'the change has ended')

const active = '/ActiveConnection/1'
const address = { connection: CONNECTION, active }

test('NetworkManager is told to go back by itself after 60 s', async () => {
  const safeChange = openSafeChange()
  begin(safeChange, address)
  await whenWaiting(safeChange)
  assert.equal(manager.checkpointSeconds, 60)
})

test('a full disk undoes a change that begins, and keeps the outcome in memory', async () => {
  const safeChange = openSafeChange()
  begin(safeChange, address)
  const empty = fillStorage(hub.parts.store.database)
  await whenEnded(safeChange)
  assert.deepEqual(manager.calls, ['createCheckpoint', 'rollback'])
  assert.deepEqual(
    [store.current(), store.outcome()?.outcome, store.outcome()?.reason],
    [undefined, 'undone', 'failed']
  )
  empty()
})

test('a full disk lets a waiting change end, and a restarted hub read how it ended', async () => {
  const safeChange = openSafeChange()
  begin(safeChange, address)
  await whenWaiting(safeChange)
  const empty = fillStorage(hub.parts.store.database)
  safeChange.cancel()
  await whenEnded(safeChange)
  assert.equal(store.outcome()?.reason, 'cancelled')
  // It has the state of the disk before the fault.
  const stored = networkStore(hub.parts.store)
  const restarted = openSafeChange(stored)
  await restarted.resume()
  await whenEnded(restarted)
  assert.deepEqual([stored.current(), stored.outcome()?.reason], [undefined, 'not-confirmed'])
  await restarted.resume()
  assert.equal(restarted.observe(), undefined)
  empty()
})

test('a change that cannot be stored when it begins does not block later ones', async () => {
  const safeChange = openSafeChange()
  const empty = fillStorage(hub.parts.store.database)
  assert.throws(() => begin(safeChange, address))
  empty()
  begin(safeChange, address)
  await whenWaiting(safeChange)
})

test('a hub that is restarted while it applies a change goes back, because there is nothing to confirm yet', async () => {
  const killed = openSafeChange()
  killed.begin(changeOf({ apply: () => new Promise(() => {}) }))
  await until(() => store.current()?.checkpoint === CHECKPOINT, 'the checkpoint is stored')
  killed.close()
  const restarted = openSafeChange()
  await restarted.resume()
  assert.notEqual(restarted.observe()?.state, 'waiting')
  await whenEnded(restarted)
  assert.deepEqual(manager.calls, ['createCheckpoint', 'rollback'])
  assert.deepEqual([store.outcome()?.outcome, store.outcome()?.reason], ['undone', 'failed'])
})

test('a hub that is closed before a change starts leaves the network as it is', () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  try {
    let isStarted = false
    const prepare = async () => {
      isStarted = true
    }
    const safeChange = openSafeChange()
    safeChange.begin(changeOf({ prepare, apply: async () => address }))
    safeChange.close()
    mock.timers.tick(60_000)
    assert.equal(isStarted, false)
  } finally {
    mock.timers.reset()
  }
})

test('a hub that is closed while it prepares a change ends the checkpoint and does not apply it', async () => {
  const safeChange = openSafeChange()
  let isApplied = false
  const apply = async () => {
    isApplied = true
    return address
  }
  safeChange.begin(changeOf({ prepare: async () => safeChange.close(), apply }))
  await until(() => manager.calls.length === 2 || isApplied, 'the hub goes on after the checkpoint')
  assert.deepEqual([manager.calls, isApplied], [['createCheckpoint', 'destroyCheckpoint'], false])
})

test('a change that a user has cancelled can neither be confirmed nor cancelled again, and is undone once', async () => {
  const safeChange = openSafeChange()
  begin(safeChange, address)
  await whenWaiting(safeChange)
  safeChange.cancel()
  assert.equal(safeChange.observe()?.state, 'undoing')
  const refusal = { code: IN_PROGRESS, fields: { refusal: 'undoing' } }
  assert.equal(refusalText('en', 'undoing'), 'The change is being undone.')
  assert.throws(() => safeChange.cancel(), refusal)
  await assert.rejects(safeChange.confirm(CLIENT()), refusal)
  await whenEnded(safeChange)
  assert.deepEqual(manager.calls, ['createCheckpoint', 'rollback'])
  assert.deepEqual([store.outcome()?.outcome, store.outcome()?.reason], ['undone', 'cancelled'])
})

test('a hub that is closed after a change was cancelled leaves the rollback to NetworkManager', async () => {
  const safeChange = openSafeChange()
  begin(safeChange, address)
  await whenWaiting(safeChange)
  mock.timers.enable({ apis: ['setTimeout'] })
  try {
    safeChange.cancel()
    safeChange.close()
    mock.timers.tick(60_000)
    assert.deepEqual(manager.calls, ['createCheckpoint'])
  } finally {
    mock.timers.reset()
  }
})

test('a change that cannot be saved still waits, and is kept by the next confirmation', async () => {
  const safeChange = openSafeChange()
  begin(safeChange, address)
  await whenWaiting(safeChange)
  manager.failing = 'save'
  await assert.rejects(safeChange.confirm(CLIENT()), /save failed/)
  assert.deepEqual(
    [manager.calls.slice(1), manager.hasCheckpoint, store.current()?.isConfirmed],
    [['save'], true, false]
  )
  await safeChange.confirm(CLIENT())
  assert.deepEqual(manager.calls, ['createCheckpoint', 'save', 'save', 'destroyCheckpoint'])
  assert.equal(store.outcome()?.outcome, 'kept')
})

test('a removed interface is deleted with the confirmation, not before', async () => {
  const safeChange = openSafeChange()
  begin(safeChange, { connection: CONNECTION })
  await whenWaiting(safeChange)
  assert.deepEqual(manager.calls, ['createCheckpoint'])
  await safeChange.confirm(CLIENT())
  assert.deepEqual(manager.calls, ['createCheckpoint', 'remove', 'destroyCheckpoint'])
})

test('a manual address whose activation does not end is not called the address of another machine', async () => {
  for (const [ipaddr, reason] of [
    ['192.0.2.7', 'failed'],
    ['', 'no-address']
  ] as const) {
    const safeChange = openSafeChange()
    manager.state = 1
    begin(safeChange, address, ipaddr)
    await until(() => store.current()?.connection === CONNECTION, 'the connection is activated')
    performance.now = () => systemNow.call(performance) + 30_000
    await whenEnded(safeChange)
    performance.now = systemNow
    assert.equal(store.outcome()?.reason, reason)
  }
})

test('a change is only called undone if NetworkManager says so and the previous addresses are back', async () => {
  const silent = openSafeChange()
  begin(silent, address)
  await whenWaiting(silent)
  const change = store.current()
  assert.ok(change)
  const outcomeAfter = async (previous: string[], ipv6?: Partial<SetNetworkRequest>) => {
    manager.hasCheckpoint = false
    const ofStore = networkStore(hub.parts.store)
    ofStore.setCurrent({ ...change, previous, request: { ...change.request, ...ipv6 } })
    const restarted = openSafeChange(ofStore)
    await restarted.resume()
    const { reads } = manager
    await until(() => !restarted.observe() || manager.reads > reads + 1, 'the end, or the state is read again')
    performance.now = () => systemNow.call(performance) + 20_000
    await whenEnded(restarted)
    performance.now = systemNow
    return [ofStore.outcome()?.outcome, ofStore.outcome()?.unverified]
  }
  assert.deepEqual(await outcomeAfter(change.previous), ['undone', undefined])
  assert.deepEqual(await outcomeAfter(['192.0.2.7']), ['undone', true])
  // Of IPv6, only a change of it: an address in each previous network, and none of the request.
  const ipv4 = change.previous.filter((address) => isIPv4(address))
  assert.deepEqual(await outcomeAfter([...ipv4, '2001:db8::7']), ['undone', undefined])
  const off = { 'ipv6-method': 'off' } as const
  assert.deepEqual(await outcomeAfter([...ipv4, '2001:db8::7'], off), ['undone', true])
  assert.deepEqual(await outcomeAfter(ipv4, off), ['undone', undefined])
  const hasIpv6 = change.previous.includes('::1')
  assert.deepEqual(await outcomeAfter(ipv4, { 'ipv6-method': 'static', 'ipv6-addresses': ['::1/128'] }), [
    'undone',
    hasIpv6 ? true : undefined
  ])
})

test('an activation without an address says whose address it was: chosen ones are in use by another machine', async () => {
  const reasonOf = async (request: Partial<SetNetworkRequest>, ipaddr = '') => {
    const safeChange = openSafeChange()
    const apply = () => Promise.reject(new ActivationError('no-address'))
    safeChange.begin({ ...changeOf({ apply }, ipaddr), request: { iface: 'lo', ...request } })
    await whenEnded(safeChange)
    return store.outcome()?.reason
  }
  assert.equal(await reasonOf({ 'use-dhcp': true }), 'no-address')
  assert.equal(await reasonOf({ 'use-dhcp': false }, '192.0.2.7'), 'address-in-use')
  assert.equal(await reasonOf({ 'ipv6-method': 'static' }), 'address-in-use')
  assert.equal(await reasonOf({ 'ipv6-method': 'static', 'use-dhcp': true }), 'no-address')
  assert.equal(await reasonOf({ 'ipv6-method': 'auto' }, '2001:db8::7'), 'no-address')
})

test('a NetworkManager that does not answer leaves it open whether a change was undone', async () => {
  const safeChange = openSafeChange()
  begin(safeChange, address)
  await whenWaiting(safeChange)
  manager.isAnswering = false
  manager.failing = 'rollback'
  safeChange.cancel()
  await until(() => manager.calls.includes('rollback'), 'the hub rolls back')
  performance.now = () => systemNow.call(performance) + 20_000
  await whenEnded(safeChange)
  assert.deepEqual([store.outcome()?.reason, store.outcome()?.unverified], ['cancelled', true])
})

test.run()
