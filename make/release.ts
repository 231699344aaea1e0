// `make release`: writes build/release/, the folder that a web server offers to hubs: channel files, their signatures
// and the bundles, by default the updates of the whole hub and of the console. The same commit, files and key give the
// same bytes.
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { commitOf } from '../bundler/commit.ts'
import { readDebianPackage } from '../firmware-pack/debian-package.ts'
import { readSigner } from '../firmware-pack/keys.ts'
import { debianPackagePath, outputPath } from '../firmware-pack/output.ts'
import { createPack } from '../firmware-pack/pack.ts'
import { runCommand } from '../firmware-pack/process/run-command.ts'
import { PackError } from '../pack/pack-error.ts'
import { createRelease } from './release/create-release.ts'

const ROOT = resolve(import.meta.dirname, '..')
const DAYS = 180

/** Writes the update of the console of this clone. @returns its path, and that of the whole hub */
function findUpdates(folder: string, signing: string | undefined): string[] {
  const { files, development } = createPack(ROOT, { signing })
  const update = files.find(({ path }) => path.endsWith('.update'))
  if (!update) throw new PackError('The pack has no update.')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, update.path), update.bytes)
  const debianPackage = readDebianPackage(debianPackagePath(ROOT))
  return [outputPath(ROOT, debianPackage, 'update', development), join(folder, update.path)]
}

runCommand(() => {
  const { SIGNING_KEY, BUNDLES, PUBLISHED, NOTES, TIME, OUT } = process.env
  const signer = readSigner(SIGNING_KEY)
  const out = resolve(OUT || join(ROOT, 'build/release'))
  const time = TIME ? Date.parse(TIME) / 1000 : commitOf(ROOT).time
  if (Number.isNaN(time)) throw new PackError(`TIME: ${TIME} is not a time such as 2026-03-01T12:00:00Z.`)
  const given = BUNDLES?.split(/\s+/).filter(Boolean)
  const files = createRelease({
    // An empty BUNDLES only renews what is published.
    bundles: given ?? findUpdates(join(ROOT, 'build/release-bundles'), SIGNING_KEY),
    notes: NOTES || join(ROOT, 'docs/releases'),
    published: PUBLISHED || undefined,
    time,
    days: DAYS,
    signer
  })
  const part = `${out}.part`
  rmSync(part, { recursive: true, force: true })
  mkdirSync(part, { recursive: true })
  for (const { path, bytes } of files) writeFileSync(join(part, path), bytes)
  rmSync(out, { recursive: true, force: true })
  renameSync(part, out)
  for (const { path, bytes } of files)
    console.log(`${path.padEnd(50)}${bytes.length.toLocaleString('en').padStart(14)}`)
  if (signer.development) console.log('Signed with the public development key. For a release, set SIGNING_KEY=path.')
})
