// What becomes of updates on real links, with demo devices that go well and that fail.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { listRolloutDevices, retryRollout, startRollout, UPDATE, upgradeDevices } from '../../../contract/firmware.ts'
import { listLog } from '../../../contract/log.ts'
import type { Order } from '../../../fleet/behaviour.ts'
import { addFile, firmwareFile } from '../../kit/firmware.ts'
import { admin, hub } from '../../kit/hub-of-test.ts'
import { until } from '../../kit/until.ts'
import { bench, benchForEach } from '../../kit/update-bench.ts'

const test = suite('update')
benchForEach(test)

test('each generation takes the file by its own calls, and it has succeeded when the device says the new version', async () => {
  for (const [model, version] of [
    ['encodeAio', '1.5.0'],
    ['hdmiToNdi', '1.4.1'],
    ['directorMini', '2.2.0']
  ] as const) {
    const [sn = ''] = await bench.start(model, 1)
    const firmware = await addFile(admin, firmwareFile(model, version, { size: 1_000_000 }))
    const { result, details, id } = await admin.send(upgradeDevices, { sn: [sn], 'firmware-id': firmware })
    assert.deepEqual([result, details], [0, [{ sn, result: 0 }]])
    const seen = new Set<number>()
    await until(() => {
      seen.add(hub.hub.store.rollouts.device(id, sn)?.state ?? -9)
      return bench.stateOf(id) === 'done'
    }, `the ${model} is updated`)
    assert.deepEqual(await bench.deviceStates(id), [[UPDATE.idle, undefined]])
    assert.equal(bench.versionOf(sn), version)
    for (const step of [UPDATE.updating, UPDATE.installing, UPDATE.restarting]) assert.ok(seen.has(step), `${step}`)
  }
  const { list } = await admin.send(listLog, { type: 'device' })
  assert.equal(list.filter(({ event }) => event === 'firmware-updated').length, 3)
})

test('every way in which a device can fail has its true reason, and the others go on where failures are not minded', async () => {
  const ways: [Order, number, string][] = [
    ['update-refused', 11, '1.4.225'],
    ['update-full', 29, '1.4.225'],
    ['update-failed', 6, '1.4.225'],
    ['update-old', 40, '1.4.225'],
    ['update-lost', 12, '1.4.225'],
    ['stall', 2, '1.4.225'],
    ['lie', 49, '1.4.225']
  ]
  const sn = await bench.start('encodeAio', ways.length + 1)
  for (const [index, [order]] of ways.entries()) bench.tell(sn[index], order)
  const firmware = await addFile(admin, firmwareFile('encodeAio', '1.5.0', { size: 300_000 }))
  const { id } = await admin.send(startRollout, { sn, 'firmware-id': firmware, first: 0, wave: 20, 'stop-after': 0 })
  await bench.ended(id)
  const { list } = await admin.send(listRolloutDevices, { id })
  assert.deepEqual(
    list.map(({ state, reason }, index) => [ways[index]?.[0], state, reason]),
    [...ways.map(([order, reason]) => [order, UPDATE.failed, reason]), [undefined, UPDATE.idle, undefined]]
  )
  for (const [index, [, , version]] of ways.entries()) assert.equal(bench.versionOf(sn[index]), version)
})

test('a link that is cut during the upload fails the device, and the device is whole', async () => {
  const [sn = ''] = await bench.start('encodeAio', 1)
  const firmware = await addFile(admin, firmwareFile('encodeAio', '1.5.0', { size: 30_000_000 }))
  const { id } = await admin.send(upgradeDevices, { sn: [sn], 'firmware-id': firmware })
  await until(() => hub.hub.firmware.rollouts.percent(id, sn) > 0, 'bytes are on their way')
  await hub.hub.links.drop(sn, 'cut by the test')
  await bench.ended(id)
  assert.deepEqual(await bench.deviceStates(id), [[UPDATE.failed, 45]])
  await until(() => hub.hub.registry.online(sn), 'it is back')
  assert.equal(bench.versionOf(sn), '1.4.225')
  await admin.send(retryRollout, { id })
  await bench.ended(id)
  assert.equal(bench.versionOf(sn), '1.5.0')
})

test('a link that is cut during the installation is no failure', async () => {
  const [sn = ''] = await bench.start('encodeAio', 1, { reboot: 100, install: 1500 })
  const firmware = await addFile(admin, firmwareFile('encodeAio', '1.5.0'))
  const { id } = await admin.send(upgradeDevices, { sn: [sn], 'firmware-id': firmware })
  await until(() => hub.hub.store.rollouts.device(id, sn)?.state === UPDATE.installing, 'it installs')
  await hub.hub.links.drop(sn, 'cut by the test')
  await bench.ended(id)
  assert.deepEqual(await bench.deviceStates(id), [[UPDATE.idle, undefined]])
})

test('a device that is away when its turn comes is waited for a while, and fails when it stays away', async () => {
  const [first = '', away = '', off = ''] = await bench.start('encodeAio', 3)
  const firmware = await addFile(admin, firmwareFile('encodeAio', '1.5.0'))
  const sn = [first, away, off]
  const { id } = await admin.send(startRollout, { sn, 'firmware-id': firmware })
  await until(() => hub.hub.store.rollouts.device(id, first)?.state === UPDATE.restarting, 'the first one restarts')
  await hub.hub.links.drop(away, 'cut by the test')
  bench.stop(off)
  await bench.ended(id)
  // Those that failed come first.
  assert.deepEqual(await bench.deviceStates(id), [
    [UPDATE.failed, 12],
    [UPDATE.idle, undefined],
    [UPDATE.idle, undefined]
  ])
})

test('what the disk did not take is found out once more', async () => {
  const [sn = ''] = await bench.start('encodeAio', 1)
  const firmware = await addFile(admin, firmwareFile('encodeAio', '1.5.0'))
  const { rollouts } = hub.hub.store
  const { setDevice } = rollouts
  let refused = 0
  rollouts.setDevice = (id, serial, state, ...more) => {
    if (state === UPDATE.idle && refused++ === 0) throw new Error('disk full')
    setDevice(id, serial, state, ...more)
  }
  const { error } = console
  console.error = () => {}
  try {
    const { id } = await admin.send(upgradeDevices, { sn: [sn], 'firmware-id': firmware })
    await bench.ended(id)
    assert.deepEqual(await bench.deviceStates(id), [[UPDATE.idle, undefined]])
    assert.equal(refused, 2)
  } finally {
    console.error = error
  }
})

test('the version that a device has already can be installed anew', async () => {
  const [sn = ''] = await bench.start('encodeAio', 1)
  const firmware = await addFile(admin, firmwareFile('encodeAio', '1.4.225'))
  const since = hub.hub.registry.live(sn)?.since
  const { id, details } = await admin.send(upgradeDevices, { sn: [sn], 'firmware-id': firmware })
  assert.equal(details[0]?.result, 0)
  await bench.ended(id)
  assert.deepEqual(await bench.deviceStates(id), [[UPDATE.idle, undefined]])
  assert.notEqual(hub.hub.registry.live(sn)?.since, since, 'it has restarted')
})

test.run()
