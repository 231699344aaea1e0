import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { FEATURE_BITS } from '../../../contract/access/features.ts'
import { GROUP_VIEWER, NDI_VIEW, VIEWER_PERMISSIONS } from '../../../contract/access/permissions.ts'
import { listUsers } from '../../../contract/access/user.ts'
import { systemStatus } from '../../../contract/system.ts'
import { startHub } from '../../kit/hub/hub.ts'

const test = suite('first start')

/** Starts a hub with these features. @returns the reported features, and the mask of the Viewer group */
async function startWith(features: number | undefined, data?: string): Promise<[features: number, viewer?: number]> {
  const hub = await startHub({ ...(features !== undefined && { features }), ...(data && { data }) })
  try {
    const admin = hub.clientAs()
    const { groups } = await admin.send(listUsers, { type: 'group', id: GROUP_VIEWER })
    const { status } = await admin.send(systemStatus, {})
    return [status.system.info['feature-support'], groups?.[0]?.permission]
  } finally {
    await hub.close()
  }
}

test('viewers see NDI if the hub has an NDI router', async () => {
  assert.deepEqual(await startWith(undefined), [0, VIEWER_PERMISSIONS])
  assert.deepEqual(await startWith(FEATURE_BITS.ndiRouter), [FEATURE_BITS.ndiRouter, VIEWER_PERMISSIONS + NDI_VIEW])
})

test('the Viewer group of an existing hub follows the features of the version that starts', async () => {
  const data = mkdtempSync(join(tmpdir(), 'features-'))
  try {
    for (const [features, expected] of [
      [0, VIEWER_PERMISSIONS],
      [FEATURE_BITS.ndiRouter, VIEWER_PERMISSIONS + NDI_VIEW],
      [0, VIEWER_PERMISSIONS]
    ] as const)
      assert.deepEqual(await startWith(features, data), [features, expected])
  } finally {
    rmSync(data, { recursive: true })
  }
})

test.run()
