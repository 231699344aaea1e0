// Takes of the NDI router: undo, the override of locks, edits meanwhile, and a matrix that does not exist.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { NDI_EDIT, NDI_VIEW } from '../../../../contract/access/permissions.ts'
import { NOT_EXIST, NOT_PERMITTED, STATE_CHANGED, SUCCESS, WRONG_STATE } from '../../../../contract/codes.ts'
import {
  addMatrix,
  addSalvo,
  listMatrices,
  lockDestination,
  setMatrix,
  takeRoutes,
  takeSalvo,
  undoTake
} from '../../../../contract/ndi/router.ts'
import { addSignedInUser, type Client } from '../../../kit/hub/hub.ts'
import { admin, hub, hubForEach } from '../../../kit/hub/hub-for-each.ts'

const test = suite('matrix takes')
hubForEach(test)

const sources = ['Cam 1', 'Cam 2'].map((name) => ({ name: `HALL (${name})` }))
let operator: Client
let id: number

test.before.each(async () => {
  operator = addSignedInUser(hub, 'Operator', NDI_VIEW | NDI_EDIT)
  id = (await admin.send(addMatrix, { name: 'Studio', machine: 'Studio', sources, destinations: [{}, {}] })).id
})

const routes = async () => (await admin.send(listMatrices, {})).list[0]?.destinations.map(({ source }) => source)
const toSource = (source: number) => [1, 2].map((destination) => ({ destination, source }))

test('another user undoes the last take, and undoes that again', async () => {
  assert.equal((await operator.send(undoTake, { id })).result, NOT_EXIST)
  await admin.send(takeRoutes, { id, takes: toSource(1) })
  await admin.send(takeRoutes, { id, takes: toSource(2) })
  assert.equal((await operator.send(undoTake, { id })).result, SUCCESS)
  assert.deepEqual(await routes(), [1, 1])
  assert.equal((await admin.send(undoTake, { id })).result, SUCCESS)
  assert.deepEqual(await routes(), [2, 2])
})

test('a take that changes nothing keeps the take to undo, and the time and user of each route', async () => {
  const studio = async () => {
    const [matrix] = (await admin.send(listMatrices, {})).list
    return { undo: matrix?.undo, routes: matrix?.destinations.map(({ source, since, by }) => ({ source, since, by })) }
  }
  await admin.send(takeRoutes, { id, takes: toSource(1) })
  const before = await studio()
  assert.equal((await operator.send(takeRoutes, { id, takes: toSource(1) })).result, SUCCESS)
  assert.deepEqual(await studio(), before)
  const [first, second] = toSource(2)
  assert.ok(first && second)
  await operator.send(takeRoutes, { id, takes: [first, { ...second, source: 1 }] })
  const { undo, routes: after } = await studio()
  assert.deepEqual(
    after?.map(({ by }) => by),
    ['Operator', 'Admin']
  )
  assert.deepEqual([undo?.by, undo?.takes], ['Operator', [{ destination: 1, source: 1 }]])
})

test('an undo that names a take is refused after another take', async () => {
  const lastTake = async () => (await admin.send(listMatrices, {})).list[0]?.undo?.take
  await admin.send(takeRoutes, { id, takes: toSource(1) })
  const shown = await lastTake()
  await admin.send(takeRoutes, { id, takes: toSource(2) })
  const latest = await lastTake()
  assert.ok(shown !== undefined && latest !== undefined && shown !== latest)
  assert.equal((await operator.send(undoTake, { id, take: shown })).result, STATE_CHANGED)
  assert.deepEqual(await routes(), [2, 2])
  assert.equal((await operator.send(undoTake, { id, take: latest })).result, SUCCESS)
  assert.deepEqual(await routes(), [1, 1])
})

test('a take with one locked destination switches none, unless an administrator overrides the lock', async () => {
  await admin.send(takeRoutes, { id, takes: toSource(1) })
  await operator.send(lockDestination, { id, destination: 2, locked: true })
  const second = addSignedInUser(hub, 'Second', NDI_VIEW | NDI_EDIT)
  assert.equal((await second.send(takeRoutes, { id, takes: toSource(2) })).result, WRONG_STATE)
  assert.equal((await second.send(takeRoutes, { id, takes: toSource(2), override: true })).result, NOT_PERMITTED)
  assert.equal((await admin.send(takeRoutes, { id, takes: toSource(2) })).result, WRONG_STATE)
  assert.equal((await admin.send(undoTake, { id })).result, WRONG_STATE)
  assert.deepEqual(await routes(), [1, 1])
  assert.equal((await admin.send(takeRoutes, { id, takes: toSource(2), override: true })).result, SUCCESS)
  assert.deepEqual(await routes(), [2, 2])
})

test('after an edit of the matrix, requests with the revision from before it are refused', async () => {
  const studio = async () => (await admin.send(listMatrices, {})).list[0]
  const { salvo } = await admin.send(addSalvo, { id, name: 'News', takes: toSource(1) })
  const revision = (await studio())?.revision
  assert.ok(revision !== undefined)
  assert.equal((await operator.send(takeRoutes, { id, takes: toSource(1), revision })).result, SUCCESS)
  assert.equal((await studio())?.revision, revision, 'a take is no edit')
  await admin.send(setMatrix, { id, sources: sources.toReversed() })
  const at = Math.floor(Date.now() / 1000) + 3600
  for (const reply of [
    await operator.send(takeRoutes, { id, takes: toSource(1), revision }),
    await operator.send(takeRoutes, { id, takes: toSource(1), revision, at, name: 'Later' }),
    await operator.send(takeSalvo, { id, salvo, revision }),
    await operator.send(lockDestination, { id, destination: 1, locked: true, revision })
  ]) {
    assert.equal(reply.result, STATE_CHANGED)
    assert.equal(
      reply.message,
      'The matrix was changed meanwhile\nNothing was switched. Check the numbers, then try again.'
    )
  }
  const after = await studio()
  assert.deepEqual(after?.scheduled, [])
  assert.deepEqual(
    after?.destinations.map(({ source, 'locked-by': owner }) => [source, owner]),
    [2, 2].map((source) => [source, undefined])
  )
  assert.equal((await operator.send(takeRoutes, { id, takes: toSource(1) })).result, SUCCESS, 'without a revision')
  assert.deepEqual(await routes(), [1, 1])
  const present = { id, takes: toSource(2), revision: after?.revision }
  assert.equal((await operator.send(takeRoutes, present)).result, SUCCESS)
  assert.deepEqual(await routes(), [2, 2])
})

test('a take at a matrix that does not exist is refused', async () => {
  assert.equal((await admin.send(takeRoutes, { id: id + 1, takes: toSource(1) })).result, NOT_EXIST)
  assert.equal((await admin.send(undoTake, { id: id + 1 })).result, NOT_EXIST)
})

test.run()
