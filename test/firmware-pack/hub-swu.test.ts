// The .swu with the whole hub, made from a small package.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { suite } from 'uvu'
import { readDebianPackage } from '../../firmware-pack/debian-package.ts'
import { withImage } from '../../firmware-pack/format/image.ts'
import { openSwu } from '../../firmware-pack/format/swu.ts'
import { createHubSwu, readTarget } from '../../firmware-pack/hub-swu.ts'
import { DEVELOPMENT_SWU_KEY } from '../../firmware-pack/keys.ts'
import { assertRefused } from './refusal.ts'

const test = suite('hub for swupdate')

const folder = mkdtempSync(join(tmpdir(), 'headend-hub-swu-'))
test.after(() => rmSync(folder, { recursive: true, force: true }))

const RELEASE = 'usr/lib/headend/package'
const COMMIT = { id: 'c'.repeat(40), time: 1_700_000_000, changed: false }

function buildPackage(): string {
  const files = {
    'DEBIAN/control': 'Package: headend\nVersion: 1.2.3\nArchitecture: amd64\nMaintainer: a\nDescription: a\n',
    [`${RELEASE}/hub/main.ts`]: 'main()',
    [`${RELEASE}/bin/node`]: '#!/bin/sh'
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, 'tree', path)), { recursive: true })
    writeFileSync(join(folder, 'tree', path), text)
  }
  chmodSync(join(folder, 'tree', RELEASE, 'bin/node'), 0o755)
  const path = join(folder, 'headend.deb')
  execFileSync('dpkg-deb', ['--build', join(folder, 'tree'), path], { stdio: 'ignore' })
  return path
}

const debianPackage = readDebianPackage(buildPackage())

test('two builds have the same bytes, and contain the release with its modes in a folder of its version', () => {
  const build = () => createHubSwu(debianPackage, COMMIT, DEVELOPMENT_SWU_KEY, readTarget(undefined))
  const swu = build()
  assert.ok(build().equals(swu))
  withImage(openSwu(swu, DEVELOPMENT_SWU_KEY, COMMIT.time), (tree) => {
    assert.equal(readFileSync(join(tree, '1.2.3/hub/main.ts'), 'utf8'), 'main()')
    assert.equal(statSync(join(tree, '1.2.3/bin/node')).mode & 0o777, 0o755)
    assert.equal(statSync(tree).mode & 0o777, 0o755)
  })
  assert.match(swu.toString('latin1'), /filename = "headend-amd64-1\.2\.3\.squashfs";/)
  assert.match(swu.toString('latin1'), /files: \(\{[^}]*path = "\/var\/lib\/headend-image\/hub\.squashfs";/)
})

test('the image is written to a block device if one is named', () => {
  const swu = createHubSwu(debianPackage, COMMIT, DEVELOPMENT_SWU_KEY, readTarget('/dev/disk/by-partlabel/hub'))
  assert.match(swu.toString('latin1'), /images: \(\{[^}]*type = "raw";\s+device = "\/dev\/disk\/by-partlabel\/hub";/)
  for (const device of ['hub', '/tmp/file', '/dev/a"; b'])
    assertRefused(() => readTarget(device), /^SWU_DEVICE: .* is not the path of a block device/)
})

test('a missing package, and a key without a certificate, are refused', () => {
  assertRefused(() => readDebianPackage(join(folder, 'nowhere.deb')), /nowhere\.deb\. Run make deb first/)
  writeFileSync(join(folder, 'not-a-package.deb'), 'text')
  assertRefused(() => readDebianPackage(join(folder, 'not-a-package.deb')), /^dpkg-deb failed: /)
  const key = join(folder, 'key.pem')
  writeFileSync(key, 'no certificate')
  assertRefused(() => createHubSwu(debianPackage, COMMIT, key, readTarget(undefined)), /contains no certificate/)
})

test('make refuses an unknown format, and names those that exist', () => {
  const root = resolve(import.meta.dirname, '../..')
  const { status, stderr } = spawnSync('make', ['-s', 'firmware-pack', 'FORMAT=zip'], { cwd: root, encoding: 'utf8' })
  assert.equal(status, 2)
  assert.match(stderr, /^FORMAT=zip: there is no such format\. Formats: webroot, update, swu, raucb, disk\.$/m)
})

test.run()
