// Tests wait for conditions. Those that wait for time stand in a list.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { projectFiles, textOf } from './sources.ts'
import { TIMED_TESTS } from './timed-tests.ts'
import { findWaits, mustNotWait } from './waits.ts'

const test = suite('waits')

const isListed = (path: string, name: string) => TIMED_TESTS.some(({ file, title }) => file === path && title === name)

test('sleeps, loops, durations and time limits are found, with the test that has them', () => {
  const lines = [
    "test('a', async () => {",
    '  await new Promise((resolve) => setTimeout(resolve, 20))',
    '  await new Promise((resolve) => setTimeout(resolve))',
    '  // await sleep(5)',
    '  await page.waitForTimeout(5)',
    '})',
    'async function poll() {',
    '  while (performance.now() < end) {',
    '  await until(() => performance.now() - start > 500)',
    '  assert.ok(performance.now() - start < 500)',
    '  assert.ok(performance.now() - start > 500)',
    '  page.setDefaultTimeout(500)',
    '  page.setDefaultTimeout(LIMIT)',
    '  await row.waitFor({ timeout: 500 })',
    '}'
  ]
  assert.deepEqual(
    findWaits(`${lines.join('\n')}\n`).map(({ line, title }) => `${line} ${title}`),
    ['2 a', '5 a', '8 poll', '9 poll', '10 poll', '12 poll', '14 poll']
  )
})

test('no test waits for time but those in the list: it waits for a condition that the product reports, with test/kit/until.ts', () => {
  const waits = projectFiles()
    .filter(mustNotWait)
    .flatMap((path) =>
      findWaits(textOf(path))
        .filter(({ title }) => !isListed(path, title))
        .map(({ line, title, text }) => `${path}:${line} '${title}': ${text}`)
    )
  assert.deepEqual(waits, [])
})

test('at most 30 tests wait for time, and the list has no others', () => {
  assert.ok(TIMED_TESTS.length <= 30, `${TIMED_TESTS.length} tests`)
  const gone = TIMED_TESTS.filter(({ file, title }) => !projectFiles().includes(file) || !textOf(file).includes(title))
  assert.deepEqual(gone, [])
})

test.run()
