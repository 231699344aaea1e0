import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { createRootImage } from '../../../firmware-pack/appliance/root-image.ts'

const test = suite('root image of the appliance')

test('the root folder has a fixed time, so that two builds have the same bytes, and only root may write it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'headend-root-image-'))
  try {
    mkdirSync(join(folder, 'tree/etc'), { recursive: true })
    execFileSync('tar', ['--create', '--file', join(folder, 'root.tar'), '--directory', join(folder, 'tree'), '.'])
    createRootImage(join(folder, 'root.tar'), 1_700_000_000, 1, join(folder, 'root.img'))
    const env = { ...process.env, TZ: 'UTC' }
    const listing = execFileSync('unsquashfs', ['-lln', join(folder, 'root.img')], { encoding: 'utf8', env })
    assert.match(listing, /^drwxr-xr-x 0\/0 +\d+ 2023-11-14 22:13 squashfs-root$/m)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test.run()
