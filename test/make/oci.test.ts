// The parts of the image for containers that need no build. test/soak/oci.test.ts builds and runs it.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { suite } from 'uvu'
import { containerfile, imageConfig, imagePackages } from '../../make/oci/image.ts'
import { ImageLayout } from '../../make/oci/layout.ts'

const test = suite('image for containers')

const FACTS = { architecture: 'arm64', version: '1.2.3', commit: 'abc', created: '2026-01-01T00:00:00.000Z' }

const sha256 = (bytes: Buffer | string) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`

test('it has the packages that the Debian package depends on, without versions and without the service manager', () => {
  const packages = imagePackages('ffmpeg, systemd, libc6 (>= 2.34), nginx\n')
  assert.deepEqual(packages, ['ffmpeg', 'fonts-noto-cjk', 'libc6', 'nginx', 'tini'])
})

test('the Containerfile gives an image the same configuration as the one that is built here', () => {
  type Config = Record<'User', string> &
    Record<'Env' | 'Entrypoint', string[]> &
    Record<'ExposedPorts' | 'Volumes', object> & { Healthcheck: { Test: string[] } }
  const { config } = imageConfig(FACTS, []) as { config: Config }
  const text = containerfile(FACTS, ['ffmpeg', 'tini'], 'bookworm')
  const line = (instruction: string) => new RegExp(`^${instruction} (.*)$`, 'm').exec(text)?.[1] ?? ''
  assert.equal(line('FROM'), 'debian:bookworm-slim')
  assert.match(text, /apt-get install -y --no-install-recommends ffmpeg tini /)
  assert.equal(line('USER'), config.User)
  assert.match(config.User, /^[1-9]\d*:[1-9]\d*$/)
  assert.deepEqual(JSON.parse(line('ENTRYPOINT')), config.Entrypoint)
  assert.deepEqual([line('VOLUME')], Object.keys(config.Volumes))
  assert.deepEqual(line('EXPOSE').split(' '), Object.keys(config.ExposedPorts))
  const [, command = ''] = line('HEALTHCHECK').split(' CMD ')
  assert.deepEqual(['CMD', ...JSON.parse(command)], config.Healthcheck.Test)
  for (const variable of config.Env) assert.ok(text.includes(variable.replace(/=(.*)/, '="$1"')), variable)
  assert.ok(config.Env.includes('MACHINE=view'))
  assert.ok(config.Env.includes('SETUP_CODE=1'), 'nobody takes over a new hub with the default password')
})

test('an image consists of files that are named after their hash, and refers to each with its size', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'headend-image-'))
  try {
    mkdirSync(join(folder, 'files'))
    writeFileSync(join(folder, 'files/a'), 'text')
    const archive = join(folder, 'layer.tar')
    execFileSync('tar', ['--create', '--file', archive, '-C', join(folder, 'files'), '.'])
    const image = join(folder, 'image')
    const layout = new ImageLayout(image)
    const layer = await layout.addLayer(archive)
    layout.finish(imageConfig(FACTS, [{ ...layer, origin: 'test' }]), [layer], 'arm64', 'headend:1.2.3')

    const blob = ({ digest, size }: { digest: string; size: number }) => {
      const bytes = readFileSync(join(image, 'blobs', digest.replace(':', '/')))
      assert.deepEqual([sha256(bytes), bytes.length], [digest, size])
      return bytes
    }
    const json = (bytes: Buffer | string) => JSON.parse(String(bytes))
    const [entry] = json(readFileSync(join(image, 'index.json'))).manifests
    assert.equal(entry.annotations['org.opencontainers.image.ref.name'], 'headend:1.2.3')
    const manifest = json(blob(entry))
    const { architecture, rootfs } = json(blob(manifest.config))
    const [compressed] = manifest.layers.map(blob)
    assert.ok(gunzipSync(compressed).equals(readFileSync(archive)))
    assert.deepEqual([architecture, rootfs.diff_ids], ['arm64', [sha256(readFileSync(archive))]])
    assert.equal(readdirSync(join(image, 'blobs/sha256')).length, 3)
    assert.deepEqual(readdirSync(image).sort(), ['blobs', 'index.json', 'oci-layout'])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test.run()
