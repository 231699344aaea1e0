// The built console: the files that a browser fetches. test/firmware-pack/two-packs.test.ts compares two builds.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import { SCREEN_SIZES } from '../../../src/ui/screen-size.ts'
import { root } from '../../house/sources.ts'

const test = suite('bundle')

/** @returns the files below a folder with their text */
function readFiles(folder: string): Map<string, string> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
  return new Map(names.sort().map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
}

/** Of the last `make build`. */
const files = readFiles(join(root, 'dist'))

test('a browser fetches the page, one script and one style sheet, and nothing else is referenced', () => {
  const page = files.get('index.html') ?? ''
  // The loader in the page adds the script of `data-script`.
  const urls = [...page.matchAll(/(?:src|href|data-script)="([^"]+)"/g)].map(([, url = '']) => url)
  const fetched = urls.filter((url) => !url.startsWith('data:'))
  assert.equal(fetched.length, 2)
  for (const file of fetched) {
    assert.match(file, /^assets\/app-[0-9a-f]{8}\.(js|css)$/)
    assert.ok(files.has(file), file)
  }
  const sheet = files.get(fetched.find((file) => file.endsWith('.css')) ?? '') ?? ''
  for (const [, url = ''] of sheet.matchAll(/url\(['"]?([^'")]+)/g)) assert.match(url, /^data:/)
  assert.doesNotMatch(sheet, /@import/)
})

test('there are two scripts: the first names the later one, and the page does so for the reload after an upgrade', () => {
  const scripts = [...files.keys()].filter((name) => name.endsWith('.js'))
  const [first = '', later = ''] = scripts
  assert.equal(scripts.length, 2)
  assert.match(first, /^assets\/app-/)
  assert.match(later, /^assets\/later-[0-9a-f]{8}\.js$/)
  assert.ok(files.get(first)?.includes(`import("./${later.slice('assets/'.length)}")`))
  assert.ok(files.get('index.html')?.includes(` data-later="${later}" `))
  // Neither imports anything before it runs: they share their names through the global scope.
  const imported = (name: string) =>
    [...(files.get(name) ?? '').matchAll(/\bfrom\s*"(\.[^"]+)"/g)].map(([, path]) => path)
  for (const name of scripts) assert.deepEqual(imported(name), [], name)
})

test('the style sheet defines every size class that the console reads from it', () => {
  const [, sheet = ''] = [...files].find(([name]) => name.endsWith('.css')) ?? []
  const sizes = [...sheet.matchAll(/--size:(\w+)/g)].map(([, size]) => size)
  assert.deepEqual(sizes, [...SCREEN_SIZES])
})

test('the style sheet has the rules of every attribute in src/styles: the build drops those that no source names', () => {
  const [, sheet = ''] = [...files].find(([name]) => name.endsWith('.css')) ?? []
  const styles = [...readFiles(join(root, 'src/styles')).values()].join('\n')
  const attributes = new Set([...styles.matchAll(/\[(data-[a-z]+)/g)].map(([, name = '']) => name))
  assert.deepEqual(
    [...attributes].filter((name) => !sheet.includes(`[${name}`)),
    []
  )
})

test('the page contains nothing that the content security policy blocks', () => {
  const page = files.get('index.html') ?? ''
  assert.doesNotMatch(page, /<style|\sstyle=|\son\w+=|<base/i)
  // One inline script, which the policy allows by its hash.
  assert.equal(page.match(/<script/gi)?.length, 1)
  assert.match(page, /<script data-script="assets\/app-\w+\.js"/)
})

test('the script contains Preact, and neither React nor preact/compat', () => {
  const [, script = ''] = [...files].find(([name]) => name.endsWith('.js')) ?? []
  assert.ok(script.length > 10_000)
  assert.doesNotMatch(script, /__SECRET_INTERNALS|unstable_batchedUpdates|process\.env/)
})

test.run()
