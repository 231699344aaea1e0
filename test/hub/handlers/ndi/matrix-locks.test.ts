// Locks hold against changes of the matrix, too: without a take, its lists decide what a destination gets.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { NDI_EDIT, NDI_VIEW } from '../../../../contract/access/permissions.ts'
import type { Envelope } from '../../../../contract/call.ts'
import { SUCCESS, WRONG_STATE } from '../../../../contract/codes.ts'
import {
  addMatrix,
  deleteMatrix,
  listMatrices,
  lockDestination,
  setMatrix,
  type TakeRefusal,
  takeRoutes
} from '../../../../contract/ndi/router.ts'
import { addSignedInUser, type Client } from '../../../kit/hub/hub.ts'
import { admin, hub, hubForEach } from '../../../kit/hub/hub-for-each.ts'

const test = suite('matrix locks')
hubForEach(test)

const sources = ['Cam 1', 'Cam 2', 'Cam 3'].map((name) => ({ name: `HALL (${name})` }))
let owner: Client
let other: Client
let id: number

test.before.each(async () => {
  owner = addSignedInUser(hub, 'Owner', NDI_VIEW | NDI_EDIT)
  other = addSignedInUser(hub, 'Other', NDI_VIEW | NDI_EDIT)
  id = (await admin.send(addMatrix, { name: 'Studio', machine: 'Studio', sources, destinations: [{}, {}, {}] })).id
  await owner.send(takeRoutes, { id, takes: [{ destination: 2, source: 2 }] })
  await owner.send(lockDestination, { id, destination: 2, locked: true })
})

const destinations = async () => (await admin.send(listMatrices, {})).list[0]?.destinations
const [first, second, third] = sources as [(typeof sources)[0], (typeof sources)[0], (typeof sources)[0]]

test('others do not switch, rename or remove a locked destination by a change of the matrix, also not with force', async () => {
  const before = await destinations()
  for (const edit of [
    { sources: [first, third] },
    { sources: [first, { name: 'HALL (Cam 9)' }, third] },
    { destinations: [{}] },
    { machine: 'Renamed' }
  ])
    for (const force of [false, true]) {
      const refusal: Envelope & TakeRefusal = await other.send(setMatrix, { id, force, ...edit })
      assert.equal(refusal.result, WRONG_STATE, JSON.stringify(edit))
      assert.deepEqual(refusal.locked, [{ destination: 2, label: 'Studio 2', by: 'Owner' }])
    }
  assert.equal((await other.send(deleteMatrix, { id, force: true })).result, WRONG_STATE)
  assert.deepEqual(await destinations(), before)
})

test('others may make changes that leave a locked destination as it is', async () => {
  for (const edit of [
    { sources: [second, first, third] },
    { sources: [second, first] },
    { destinations: [{ label: 'Stage' }, {}] },
    { name: 'Renamed' }
  ])
    assert.equal((await other.send(setMatrix, { id, ...edit })).result, SUCCESS, JSON.stringify(edit))
  const locked = (await destinations())?.[1]
  assert.deepEqual([locked?.source, locked?.['locked-by']], [1, 'Owner'])
})

test('the owner of the lock makes them, and an administrator only with force', async () => {
  assert.equal((await admin.send(setMatrix, { id, machine: 'Renamed' })).result, WRONG_STATE)
  assert.equal((await admin.send(setMatrix, { id, machine: 'Renamed', force: true })).result, SUCCESS)
  assert.equal((await owner.send(setMatrix, { id, sources: [first] })).result, SUCCESS)
  assert.equal((await admin.send(deleteMatrix, { id })).result, WRONG_STATE)
  assert.equal((await admin.send(deleteMatrix, { id, force: true })).result, SUCCESS)
})

test.run()
