import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore } from '../../../cloud/store/store.ts'
import { suite } from '../../kit/runner/suite.ts'

const test = suite('cloud store in a file')

test('a store is opened by one process at a time, and has its rows when it is opened again', async () => {
  const data = mkdtempSync(join(tmpdir(), 'cloud-'))
  try {
    const first = await openStore({ data })
    await first.within('acme', (scope) => scope.insert('organisations', { invitation: 'x', created: 1 }).execute())
    await assert.rejects(openStore({ data }), /another node uses/)
    await first.close()
    const second = await openStore({ data })
    const rows = await second.within('acme', (scope) => scope.select('organisations').selectAll().execute())
    assert.equal(rows.length, 1)
    await second.close()
  } finally {
    rmSync(data, { recursive: true })
  }
})

test.run()
