import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createPublicKey } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { FREE_LIMITS, LICENSE_PERMISSION } from '../../contract/license/license.ts'
import { openLicense } from '../../license/statement.ts'

const PROGRAM = join(import.meta.dirname, '../../license/server/main.ts')
const MACHINE = 'c'.repeat(32)

const test = suite('license server commands')
let folder: string
test.before(() => {
  folder = mkdtempSync(join(tmpdir(), 'license-server-'))
})
test.after(() => rmSync(folder, { recursive: true }))

const run = (...args: string[]) =>
  execFileSync(process.execPath, [PROGRAM, ...args], {
    encoding: 'utf8',
    stdio: 'pipe',
    env: { ...process.env, LICENSES: join(folder, 'licenses.json'), LICENSE_KEY: join(folder, 'issuer.pem') }
  })

test('a key, a licence and its file are made on the command line', () => {
  const publicKey = createPublicKey(run('key', join(folder, 'issuer.pem')))
  run('add', 'Diocese', 'ABC1', '--live', '8', '--days', '365')
  run('issue', 'ABC1', MACHINE, join(folder, 'license.json'))
  const license = openLicense(JSON.parse(readFileSync(join(folder, 'license.json'), 'utf8')), [publicKey])
  assert.ok(typeof license === 'object')
  assert.deepEqual([license.title, license.machine, license['support-end']], ['Diocese', MACHINE, 0])
  assert.deepEqual(license.limits, { ...FREE_LIMITS, 'max-live-count': 8 })
  assert.equal(license.permissions, LICENSE_PERMISSION.file | LICENSE_PERMISSION.transfer)
  assert.throws(() => run('issue', 'ABC1', 'd'.repeat(32), join(folder, 'second.json')), /release it first/)
  run('disable', 'ABC1')
  assert.throws(() => run('issue', 'ABC1', MACHINE, join(folder, 'second.json')), /is disabled/)
  assert.match(run('list'), /"disabled":true,"machine":"c{32}"/)
  assert.match(run('release', 'ABC1'), /"sn":"ABC1",.*"machine":""/)
  assert.match(run('list'), /"machine":""/)
})

test('a licence may be kept on the server and on one machine', () => {
  run('add', 'Parish', 'ABC3', '--server-only', '--one-machine')
  assert.match(run('list'), /"sn":"ABC3","permissions":0,/)
  assert.throws(() => run('issue', 'ABC3', MACHINE, join(folder, 'third.json')), /may not be installed from a file/)
})

test('wrong commands, serial numbers and limits are refused', () => {
  const refused = (pattern: RegExp, ...args: string[]) => assert.throws(() => run(...args), pattern)
  refused(/Unknown command/, 'sell')
  refused(/characters A-F/, 'add', 'Diocese', 'XYZ')
  refused(/whole number/, 'add', 'Diocese', 'ABC2', '--live', '1.5')
  refused(/--days must be at least 1/, 'add', 'Diocese', 'ABC2', '--days', '0')
  refused(/no licence ABC9/, 'disable', 'ABC9')
  refused(/TITLE must have 1-64/, 'add', ' Diocese', 'ABC2')
  refused(/Unknown option/, 'add', 'Diocese', 'ABC2', '--forever')
  refused(/MACHINE must be/, 'issue', 'ABC1', 'here', join(folder, 'other.json'))
  refused(/PORT must be/, 'serve', 'eighty')
  refused(/EEXIST/, 'key', join(folder, 'issuer.pem'))
})

test.run()
