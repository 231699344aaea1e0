// The console as the build makes it: what a browser fetches, and that the same sources make the same bytes.
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rollup } from 'rollup'
import { suite } from 'uvu'
import { SIZES } from '../../../src/ui/size.ts'

const test = suite('bundle')

const folders: string[] = []

/** Builds into a folder of its own. @returns its files with their text */
async function build(): Promise<Map<string, string>> {
  const dir = mkdtempSync(join(tmpdir(), 'headend-bundle-'))
  folders.push(dir)
  const { default: config } = await import(join(process.cwd(), 'rollup.config.mjs'))
  const made = await rollup(config)
  await made.write({ ...config.output, dir })
  await made.close()
  const names = readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(dir.length + 1))
  return new Map(names.sort().map((name) => [name, readFileSync(join(dir, name), 'utf8')]))
}

let first: Map<string, string>

test.before(async () => {
  first = await build()
})

test.after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

test('a browser fetches the page, one script and one style sheet, and names nothing else', () => {
  const page = first.get('index.html') ?? ''
  const fetched = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url = '']) => url)
  const files = fetched.filter((url) => !url.startsWith('data:'))
  assert.equal(files.length, 2)
  for (const file of files) {
    assert.match(file, /^assets\/app-[0-9a-f]{8}\.(js|css)$/)
    assert.ok(first.has(file), file)
  }
  const sheet = files.find((file) => file.endsWith('.css')) ?? ''
  for (const [, url = ''] of (first.get(sheet) ?? '').matchAll(/url\(['"]?([^'")]+)/g)) assert.match(url, /^data:/)
  assert.doesNotMatch(first.get(sheet) ?? '', /@import/)
})

test('the style sheet says each size class, which the console reads from it', () => {
  const [, sheet = ''] = [...first].find(([name]) => name.endsWith('.css')) ?? []
  const said = [...sheet.matchAll(/--size:(\w+)/g)].map(([, size]) => size)
  assert.deepEqual(said, [...SIZES])
})

test('the page holds nothing that the content security policy refuses', () => {
  const page = first.get('index.html') ?? ''
  assert.doesNotMatch(page, /<style|\sstyle=|\son\w+=|<base/i)
  assert.doesNotMatch(page, /<script(?![^>]*\ssrc=)/i)
})

test('the script holds Preact, and neither React nor the whole of compat', () => {
  const [, script = ''] = [...first].find(([name]) => name.endsWith('.js')) ?? []
  assert.ok(script.length > 10_000)
  assert.doesNotMatch(script, /__SECRET_INTERNALS|unstable_batchedUpdates|process\.env/)
})

test('the same sources make the same bytes', async () => {
  assert.deepEqual([...(await build())], [...first])
})

test.run()
