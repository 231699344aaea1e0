// `make firmware-pack`: dist/ -> firmware-pack/out/, the same bytes from the same commit on any machine.
import { chmodSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { type Budget, lines, measure, over } from './budget.ts'
import { readBundle } from './bundle-files.ts'
import { commitOf } from './commit.ts'
import { quickGzip } from './encodings.ts'
import { makePayload } from './payload.ts'
import { tar } from './tar.ts'

const root = resolve(import.meta.dirname, '..')
const out = join(root, 'firmware-pack/out')

const readJson = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'))
const bundle = readBundle(join(root, 'dist'))
const heavy = over(lines(measure(bundle), readJson('size-budget.json') as Budget))
if (heavy.length) {
  for (const { what, is, limit } of heavy) console.error(`${what}: ${is} bytes, limit ${limit}`)
  console.error('Over budget: no pack is made.')
  process.exit(1)
}

const { version } = readJson('package.json') as { version: string }
const commit = commitOf(root)
const { manifest, files } = makePayload(bundle, version, commit)

rmSync(out, { recursive: true, force: true })
for (const { path, bytes } of files) {
  const target = join(out, path)
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, bytes)
  chmodSync(target, 0o644)
  utimesSync(target, commit.time, commit.time)
}
const name = `${manifest.name}-${version}`
const archive = quickGzip(
  tar(
    files.map(({ path, bytes }) => ({ path: `${name}/${path}`, bytes })),
    commit.time
  )
)
writeFileSync(join(out, `${name}.tar.gz`), archive)
console.log(
  `firmware-pack/out/${name}.tar.gz: ${archive.length} bytes, ${files.length} files, commit ${commit.id.slice(0, 12)}${
    commit.changed ? ' with changes' : ''
  }`
)
