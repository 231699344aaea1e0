import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { suite } from 'uvu'

const test = suite('search in one network')

const SCRIPT = join(import.meta.dirname, '../../../kit/fleet/search-networks.sh')

test('a search sends nothing through another interface, even if that one has the default route', async () => {
  const { stdout } = await promisify(execFile)('unshare', ['--user', '--map-root-user', '--net', SCRIPT])
  const [checked, searched, other] = stdout.trim().split('\n')
  assert.equal(checked, 'checked: 13')
  assert.ok(Number(searched?.replace('v0: ', '')) > 13, stdout)
  assert.equal(other, 'v1: 0')
})

test.run()
