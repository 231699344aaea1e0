import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { readSettings } from '../../../firmware-pack/appliance/build.ts'
import { writeApplianceFiles } from '../../../firmware-pack/appliance/root-image.ts'
import { DEVELOPMENT_SWU_KEY } from '../../../firmware-pack/keys.ts'
import { assertRefused } from '../refusal.ts'

const test = suite('settings of the appliance')

const folder = mkdtempSync(join(tmpdir(), 'headend-appliance-'))
test.after(() => rmSync(folder, { recursive: true, force: true }))

test('without keys the development key signs, and the login prompt says so', () => {
  const { isDevelopment, key } = readSettings('disk', {})
  assert.deepEqual([isDevelopment, key.certificate], [true, DEVELOPMENT_SWU_KEY])
  for (const development of [true, false]) {
    const files = join(folder, `files-${development}`)
    writeApplianceFiles(files, key.certificate, development)
    const keyring = readFileSync(join(files, 'etc/rauc/keyring.pem'), 'utf8')
    assert.match(keyring, /^-----BEGIN CERTIFICATE-----/)
    assert.ok(!keyring.includes('PRIVATE KEY'), 'the key of the signer is not in the image')
    const issue = statSync(join(files, 'etc/issue.d/development.issue'), { throwIfNoEntry: false })
    assert.equal(issue !== undefined, development)
    assert.equal(statSync(join(files, 'usr/lib/headend-appliance/mark-good')).mode & 0o777, 0o755)
    assert.equal(statSync(join(files, 'usr/lib/headend-appliance/boot-state')).mode & 0o777, 0o755)
    assert.equal(statSync(join(files, 'etc/fstab')).mode & 0o777, 0o644)
  }
})

test('settings that are not valid are refused', () => {
  const empty = join(folder, 'empty.pem')
  writeFileSync(empty, '')
  for (const [variables, why] of [
    [{ RAUC_KEY: empty }, /RAUC_KEY and RAUC_CERT belong together/],
    [{ RAUC_CERT: DEVELOPMENT_SWU_KEY }, /RAUC_KEY and RAUC_CERT belong together/],
    [{ RAUC_KEY: 'nowhere', RAUC_CERT: DEVELOPMENT_SWU_KEY }, /RAUC_KEY: there is no file nowhere/],
    [{ RAUC_KEY: empty, RAUC_CERT: empty }, /RAUC_CERT: .* contains no certificate/],
    [{ GZIP_LEVEL: '10' }, /GZIP_LEVEL: 10 is not a number from 1 to 9/]
  ] as const)
    assertRefused(() => readSettings('raucb', variables), why)
  assertRefused(() => readSettings('iso', {}), /^FORMAT: iso is not one of disk, raucb/)
})

test.run()
