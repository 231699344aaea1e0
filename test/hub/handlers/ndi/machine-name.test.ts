// The name of the machine without one in the settings, which is that of the NDI configuration of the account.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { INVALID_ARG, SUCCESS } from '../../../../contract/codes.ts'
import { addMatrix, listMatrices } from '../../../../contract/ndi/router.ts'
import { getNdiStatus } from '../../../../contract/ndi/status.ts'
import { getSettings, setSettings } from '../../../../contract/settings.ts'
import { NDI } from '../../../../contract/stream/protocols.ts'
import { addOutput, listOutputs } from '../../../../contract/stream/source.ts'
import { startHub, type TestHub } from '../../../kit/hub/hub.ts'
import { until } from '../../../kit/until.ts'

const test = suite('NDI machine name')
/** 40 characters, which leave 20 for the names of sources. */
const ACCOUNT_NAME = `Account ${'x'.repeat(32)}`
const ANNOUNCED = ACCOUNT_NAME.toUpperCase()
let folder: string
let hub: TestHub

test.before.each(async () => {
  folder = mkdtempSync(join(tmpdir(), 'headend-account-'))
  writeFileSync(join(folder, 'ndi-config.v1.json'), JSON.stringify({ ndi: { machinename: ACCOUNT_NAME } }))
  hub = await startHub({ ndi: { folders: [], accountFolder: folder } })
  await until(() => hub.parts.engine.ndiStatus() !== undefined, 'the engine has reported the name')
})
test.after.each(async () => {
  await hub.close()
  rmSync(folder, { recursive: true })
})

test('shown names and limits have the machine name that the engine announces', async () => {
  const admin = await hub.signIn()
  assert.equal((await admin.send(getNdiStatus, {}))['machine-name'], ANNOUNCED)
  const add = (name: string) => admin.send(addOutput, { name, protocol: NDI, config: {} })
  const { result, fault, max } = await add('y'.repeat(21))
  assert.deepEqual([result, fault, max], [INVALID_ARG, 'bytes', 20])
  assert.equal((await add('y'.repeat(20))).result, SUCCESS)
  assert.equal((await admin.send(listOutputs, {})).list[0]?.addr, `${ANNOUNCED} (${'y'.repeat(20)})`)
  const matrix = { name: 'Router', sources: [], destinations: [{}] }
  // Base name, space and a number of two digits.
  assert.equal((await admin.send(addMatrix, { ...matrix, machine: 'z'.repeat(18) })).max, 17)
  await admin.send(addMatrix, { ...matrix, machine: 'z'.repeat(17) })
  const [router] = (await admin.send(listMatrices, {})).list
  assert.equal(router?.destinations[0]?.name, `${ANNOUNCED} (${'z'.repeat(17)} 1)`)
})

test('the name of the settings is not cleared while the other name is too long for a source of the hub', async () => {
  const admin = await hub.signIn()
  const { settings } = await admin.send(getSettings, {})
  const setName = (name: string) => {
    const discovery = settings['ndi-discovery']
    assert.ok(discovery)
    return admin.send(setSettings, { 'ndi-discovery': { ...discovery, 'machine-name': name } })
  }
  assert.equal((await setName('Hub')).result, SUCCESS)
  await admin.send(addOutput, { name: 'y'.repeat(21), protocol: NDI, config: {} })
  const { result, field, fault, max } = await setName('')
  assert.deepEqual([result, field, fault, max], [INVALID_ARG, 'ndi-discovery.machine-name', 'bytes', 39])
})

test.run()
