// Fixture for tests of packs: a small project with a commit, keys, and two packs of it.
import { execFileSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { cpSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'uvu'
import { createPack, installPack, type Keys } from '../../firmware-pack/pack.ts'
import { type TrustedKeys, verifyPack } from '../../firmware-pack/verify-pack.ts'
import type { Budget } from '../../pack/budget.ts'

/** Holds everything that the tests write. */
export const folder = mkdtempSync(join(tmpdir(), 'headend-pack-test-'))

/** Removes the folder after all tests of a suite. */
export const removeFolderAfter = (test: Pick<Test, 'after'>): void =>
  test.after(() => rmSync(folder, { recursive: true, force: true }))

export const path = (...parts: string[]) => join(folder, ...parts)
const LEGAL = 'Headend\n\n-- preact 11.2.0 (MIT)\nSomebody\n'
export const BUDGET: Budget = { html: {}, css: {}, js: {}, total: { brotli: 1000 }, requests: 3 }

/** Creates a project with one page and a commit. */
export function createProject(root: string, budget = BUDGET): string {
  mkdirSync(join(root, 'dist/assets'), { recursive: true })
  const files = {
    'package.json': '{ "version": "1.2.3" }',
    'package-lock.json': JSON.stringify({
      packages: { 'node_modules/preact': { version: '11.2.0', integrity: 'sha512-AAEC' } }
    }),
    'size-budget.json': JSON.stringify(budget),
    'dist/index.html': '<!doctype html>'.repeat(20),
    'dist/assets/app-12345678.js': 'console.log(1)\n'.repeat(100),
    'dist/legal.txt': LEGAL
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text)
  const git = (...args: string[]) => execFileSync('git', ['-C', root, ...args], { stdio: 'pipe' })
  git('init', '--quiet')
  git('add', '.')
  git('-c', 'user.name=A', '-c', 'user.email=a@example.com', 'commit', '--quiet', '-m', 'all')
  return root
}

/** Writes a key pair. @returns the path of the private key; the public key has the suffix `.pub` */
export function writeKey(name: string, type: 'ed25519' | 'rsa'): string {
  const { privateKey, publicKey } =
    type === 'rsa' ? generateKeyPairSync('rsa', { modulusLength: 2048 }) : generateKeyPairSync('ed25519')
  writeFileSync(path(name), privateKey.export({ type: 'pkcs8', format: 'pem' }))
  writeFileSync(path(`${name}.pub`), publicKey.export({ type: 'spki', format: 'pem' }))
  return path(name)
}

export const project = createProject(path('project'))
export const key = writeKey('key', 'ed25519')
export const otherKey = writeKey('other', 'ed25519')

/** Packs the project into a new folder. */
export function packInto(name: string, keys: Keys = {}): string {
  installPack(createPack(project, keys), path(name), folder)
  return path(name)
}

/** Copies a pack. */
export function copyPack(from: string, name: string): string {
  cpSync(from, path(name), { recursive: true })
  return path(name)
}

export const updateIn = (pack: string) => join(pack, globSync('*.update', { cwd: pack })[0] ?? '')
export const verify = (pack: string, trusted: TrustedKeys = {}, budget = BUDGET) => verifyPack(pack, budget, trusted)

/** A pack signed with the development key. */
export const development = packInto('development')

/** A pack signed with `key`. */
export const released = packInto('released', { signing: key })
