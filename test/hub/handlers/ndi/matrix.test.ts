// Matrices of the NDI router: permissions of the calls, and how a change of the lists affects routes, salvos and
// scheduled takes.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { NDI_EDIT, NDI_VIEW } from '../../../../contract/access/permissions.ts'
import {
  INVALID_ARG,
  NAME_EXISTS,
  NOT_EXIST,
  NOT_PERMITTED,
  PORT_OCCUPIED,
  SUCCESS,
  TOO_MANY
} from '../../../../contract/codes.ts'
import { listLog } from '../../../../contract/log.ts'
import {
  addMatrix,
  addSalvo,
  deleteMatrix,
  listMatrices,
  MATRICES_MAX,
  type Matrix,
  setMatrix,
  takeRoutes
} from '../../../../contract/ndi/router.ts'
import type { NdiDiscoverySettings } from '../../../../contract/ndi/settings.ts'
import { getSettings, setSettings } from '../../../../contract/settings.ts'
import { addSignedInUser } from '../../../kit/hub/hub.ts'
import { admin, hub, hubForEach } from '../../../kit/hub/hub-for-each.ts'

const test = suite('matrix')
hubForEach(test)

const source = (name: string) => ({ name: `HALL (${name})` })
const FIELDS = {
  name: 'Studio',
  machine: 'Studio',
  sources: [source('Cam 1'), source('Cam 2'), { ...source('Cam 3'), label: 'Crane' }],
  destinations: [{ label: 'Stage' }, {}]
}
const NEXT_YEAR = () => Math.floor(Date.now() / 1000) + 300 * 86_400

const get = async (): Promise<Matrix> => (await admin.send(listMatrices, {})).list[0] as Matrix

test('a matrix is listed with its labels, and without a router process its destinations are down', async () => {
  const { id } = await admin.send(addMatrix, FIELDS)
  const matrix = await get()
  assert.equal(matrix.id, id)
  assert.deepEqual(
    matrix.sources.map(({ index, label, name, online }) => [index, label, name, online]),
    [
      [1, 'Cam 1', 'HALL (Cam 1)', false],
      [2, 'Cam 2', 'HALL (Cam 2)', false],
      [3, 'Crane', 'HALL (Cam 3)', false]
    ]
  )
  assert.deepEqual(
    matrix.destinations.map(({ index, label, source: from, state, connections, since, by }) => ({
      ...{ index, label, from, state, connections, since, by }
    })),
    [
      { index: 1, label: 'Stage', from: 0, state: 'down', connections: 0, since: 0, by: '' },
      { index: 2, label: 'Studio 2', from: 0, state: 'down', connections: 0, since: 0, by: '' }
    ]
  )
  assert.match(matrix.destinations[1]?.name ?? '', /^[^ ]+ \(Studio 2\)$/)
  assert.deepEqual(matrix.panel, { enable: false, port: 9990, 'allow-ip': [], destinations: [], state: 'off' })
})

test('viewing needs NDI_VIEW, changes need NDI_EDIT', async () => {
  await admin.send(addMatrix, FIELDS)
  const viewer = addSignedInUser(hub, 'viewer', NDI_VIEW)
  const operator = addSignedInUser(hub, 'operator', NDI_VIEW | NDI_EDIT)
  const { id } = await get()
  assert.equal((await viewer.send(listMatrices, {})).total, 1)
  assert.equal((await viewer.send(takeRoutes, { id, takes: [{ destination: 1, source: 1 }] })).result, NOT_PERMITTED)
  assert.equal((await viewer.send(deleteMatrix, { id })).result, NOT_PERMITTED)
  assert.equal((await operator.send(takeRoutes, { id, takes: [{ destination: 1, source: 1 }] })).result, SUCCESS)
  assert.equal((await get()).destinations[0]?.by, 'operator')
})

test('two matrices have different names and base names, and a hub has at most 16', async () => {
  await admin.send(addMatrix, FIELDS)
  const same = await admin.send(addMatrix, { ...FIELDS, machine: 'Other' })
  assert.deepEqual([same.result, same.field], [NAME_EXISTS, 'name'])
  const sameBase = await admin.send(addMatrix, { ...FIELDS, name: 'Other', machine: 'STUDIO' })
  assert.deepEqual([sameBase.result, sameBase.field], [NAME_EXISTS, 'machine'])
  for (let n = 2; n <= MATRICES_MAX; n++)
    assert.equal((await admin.send(addMatrix, { ...FIELDS, name: `${n}`, machine: `${n}` })).result, SUCCESS)
  const { result, max } = await admin.send(addMatrix, { ...FIELDS, name: 'x', machine: 'x' })
  assert.deepEqual([result, max], [TOO_MANY, MATRICES_MAX])
})

test('a source or destination that occurs twice, or does not exist, is refused', async () => {
  const twice = await admin.send(addMatrix, { ...FIELDS, sources: [source('A'), source('A')] })
  assert.deepEqual([twice.result, twice.field, twice.fault], [INVALID_ARG, 'sources', 'taken'])
  const { id } = await admin.send(addMatrix, FIELDS)
  const take = (...takes: { destination: number; source: number }[]) => admin.send(takeRoutes, { id, takes })
  assert.equal((await take({ destination: 3, source: 1 })).result, INVALID_ARG)
  assert.equal((await take({ destination: 1, source: 4 })).result, INVALID_ARG)
  assert.equal((await take({ destination: 1, source: 1 }, { destination: 1, source: 2 })).result, INVALID_ARG)
  assert.equal((await take({ destination: 2, source: 1 }, { destination: 3, source: 1 })).result, INVALID_ARG)
  assert.deepEqual(
    (await get()).destinations.map(({ source: from }) => from),
    [0, 0],
    'nothing was taken'
  )
})

test('routes, salvos and scheduled takes follow their sources when the list changes', async () => {
  const { id } = await admin.send(addMatrix, { ...FIELDS, destinations: [{}, {}, {}, {}] })
  const takes = [1, 2, 3].map((n) => ({ destination: n, source: n }))
  await admin.send(takeRoutes, { id, takes })
  await admin.send(addSalvo, { id, name: 'News', takes })
  await admin.send(takeRoutes, { id, takes, at: NEXT_YEAR(), name: 'Later' })
  // Cam 3 moves to the first place, a new source takes the place of Cam 2, and Cam 1 is removed.
  await admin.send(setMatrix, { id, sources: [source('Cam 3'), source('New')], destinations: [{}, {}, {}] })
  const { destinations, salvos, scheduled, undo } = await get()
  assert.deepEqual(
    destinations.map(({ source: from }) => from),
    [0, 2, 1]
  )
  const mapped = [
    { destination: 2, source: 2 },
    { destination: 3, source: 1 }
  ]
  assert.deepEqual(
    salvos.map((salvo) => salvo.takes),
    [mapped]
  )
  assert.deepEqual(
    scheduled.map((one) => one.takes),
    [mapped]
  )
  assert.deepEqual(
    undo?.takes.map(({ source: from }) => from),
    [0, 0, 0]
  )
})

test('a panel cannot have a port that is in use, or destinations that do not exist', async () => {
  const first = await admin.send(addMatrix, FIELDS)
  const second = await admin.send(addMatrix, { ...FIELDS, name: 'B', machine: 'B' })
  const panel = { enable: true, port: 9990, 'allow-ip': ['192.0.2.0/24'], destinations: [2] }
  assert.equal((await admin.send(setMatrix, { id: first.id, panel })).result, SUCCESS)
  const same = await admin.send(setMatrix, { id: second.id, panel })
  assert.deepEqual([same.result, same.field, same.port], [PORT_OCCUPIED, 'panel.port', 9990])
  const unknown = await admin.send(setMatrix, { id: second.id, panel: { ...panel, port: 9991, destinations: [3] } })
  assert.deepEqual([unknown.result, unknown.field], [INVALID_ARG, 'panel.destinations'])
  // This hub does not listen, so the port is closed.
  assert.deepEqual((await get()).panel, { ...panel, state: 'off' })
})

test('the base name and the machine name are limited by the length of the names that NDI announces', async () => {
  const setMachine = async (name: string) => {
    const { settings } = await admin.send(getSettings, {})
    const discovery = settings['ndi-discovery'] as NdiDiscoverySettings
    return admin.send(setSettings, { 'ndi-discovery': { ...discovery, 'machine-name': name } })
  }
  await setMachine('Studio 1')
  const tooLong = await admin.send(addMatrix, { ...FIELDS, machine: 'x'.repeat(50) })
  assert.deepEqual(
    [tooLong.result, tooLong.field, tooLong.fault, tooLong.max],
    [INVALID_ARG, 'machine', 'bytes', 49],
    'STUDIO 1 (x… 64) has 63 bytes with 49 x'
  )
  const { id } = await admin.send(addMatrix, { ...FIELDS, machine: 'x'.repeat(49) })
  assert.deepEqual(
    (await get()).destinations.map(({ name }) => name),
    [1, 2].map((n) => `STUDIO 1 (${'x'.repeat(49)} ${n})`)
  )
  for (const machine of ['Studio: A', 'A/B', 'x'.repeat(50)])
    assert.equal((await admin.send(setMatrix, { id, machine })).field, 'machine', machine)
  const { result, field, fault, max } = await setMachine('Studio 12')
  assert.deepEqual([result, field, fault, max], [INVALID_ARG, 'ndi-discovery.machine-name', 'bytes', 8])
})

test('a deleted matrix is gone for consoles that ask for changes, and every edit is logged', async () => {
  const { id } = await admin.send(addMatrix, FIELDS)
  const { rev } = await admin.send(listMatrices, {})
  await admin.send(setMatrix, { id, name: 'Hall' })
  assert.equal((await admin.send(deleteMatrix, { id })).result, SUCCESS)
  const delta = await admin.send(listMatrices, { since: rev })
  assert.deepEqual([delta.partial, delta.gone, delta.total], [true, [id], 0])
  assert.equal((await admin.send(deleteMatrix, { id })).result, NOT_EXIST)
  const { list } = await admin.send(listLog, { type: 'operation' })
  assert.deepEqual(
    list.map(({ text, code }) => [text, code]),
    [
      [`Delete matrix: ${id}`, NOT_EXIST],
      ['Delete matrix: Hall', 0],
      ['Edit matrix: Hall', 0],
      ['Add matrix: Studio', 0]
    ]
  )
})

test.run()
