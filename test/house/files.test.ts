import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { machineSpecificText, nameFault, suiteFaults } from './files.ts'
import { isTestFile, projectFiles, textOf } from './sources.ts'

const test = suite('files')

test('a vague name and a name not in kebab-case are faults', () => {
  for (const good of [
    'src/ui/table/table.tsx',
    'README.md',
    'test/kit/hub/hub.ts',
    'static/index.html',
    '.ci/run',
    'Makefile',
    'src/styles/_form.scss'
  ])
    assert.equal(nameFault(good), undefined)
  for (const bad of ['src/ui/index.ts', 'src/utils/a.ts', 'hub/types.ts', 'src/helpers.tsx', 'hub/common/a.ts'])
    assert.match(nameFault(bad) ?? '', /is too vague/)
  for (const bad of ['src/ui/Table.tsx', 'hub/first_start.ts', 'hub/_odd.ts', 'docs/My File.md'])
    assert.match(nameFault(bad) ?? '', /kebab/)
})

test('a suite that does not run, is empty or uses only or skip is a fault', () => {
  const sound = "const test = suite('x')\ntest('y', () => {})\ntest.run()\n"
  assert.deepEqual(suiteFaults('x', sound), [])
  assert.match(suiteFaults('x', sound.replace('test.run()', '')).join(), /run\(\) is missing/)
  assert.match(suiteFaults('x', sound.replace('test.run()', '// test.run()')).join(), /run\(\) is missing/)
  assert.match(suiteFaults('x', sound.replace('test(', 'test.only(')).join(), /only/)
  assert.match(suiteFaults('x', "const test = suiteRequiring('x', missing())\ntest.run()\n").join(), /no test/)
  assert.match(suiteFaults('x', `${sound}  test.skip('z', () => {})`).join(), /skip/)
  assert.match(suiteFaults('x', "const test = suite('x')\ntest.run()\n").join(), /no test/)
  assert.match(suiteFaults('x', 'export {}').join(), /no suite/)
})

test('paths and hosts of a specific machine are found', () => {
  // Joined here, because this file is checked too.
  const path = (...parts: string[]) => `/${parts.join('/')}`
  const host = (...parts: string[]) => `https://${parts.join('.')}/x`
  for (const bad of [
    `see ${path('home', 'ann', 'x')}`,
    `"${path('root', '.npm')}"`,
    `'${path('work', 'main')}'`,
    host('registry', 'example', 'com'),
    host('npm', 'corp', 'net'),
    `"resolved": "${host('example', 'com')}"`
  ])
    assert.equal(machineSpecificText(bad).length > 0, true, bad)
  for (const good of ['src/root/x', './data', '/usr/bin/ffmpeg', '/api/root', 'https://example.com/npm', '#/home'])
    assert.deepEqual(machineSpecificText(good), [], good)
})

test('file names are specific and in kebab-case', () => {
  assert.deepEqual(
    projectFiles().flatMap((path) => nameFault(path) ?? []),
    []
  )
})

test('every test file runs its suites', () => {
  const tests = projectFiles().filter(isTestFile)
  assert.ok(tests.length > 10)
  assert.deepEqual(
    tests.flatMap((path) => suiteFaults(path, textOf(path))),
    []
  )
})

test('no file contains paths or hosts of a specific machine', () => {
  const texts = projectFiles().filter((path) => !/\.(png|jpe?g|ico|woff2?)$/.test(path))
  assert.deepEqual(
    texts.flatMap((path) => machineSpecificText(textOf(path)).map((place) => `${path}: ${place}`)),
    []
  )
})

test('the map of a document names every folder or page', () => {
  const folder = (name: string) => `\`${name}/`
  const MAPS: readonly [document: string, parts: RegExp, entry: (name: string) => string][] = [
    ['README.md', /^([^/.]+)\//, folder],
    ['hub/README.md', /^hub\/([^/]+)\//, folder],
    ['contract/README.md', /^contract\/([^/]+)\//, folder],
    ['docs/architecture/overview.md', /^docs\/architecture\/(.+\.md)$/, (page) => `](${page})`]
  ]
  const missing = MAPS.flatMap(([document, parts, entry]) => {
    const names = new Set(projectFiles().flatMap((path) => parts.exec(path)?.[1] ?? []))
    assert.ok(names.size > 5, document)
    names.delete('overview.md')
    return [...names].filter((name) => !textOf(document).includes(entry(name))).map((name) => `${document}: ${name}`)
  })
  assert.deepEqual(missing, [])
})

test.run()
