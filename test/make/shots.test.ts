import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { PAGES } from '../kit/browser/pages.ts'
import { contactSheet, pictureFile, VARIANTS } from '../shots/contact-sheet.ts'

const test = suite('make shots')

test('each screen has a picture in both languages, both themes and three widths, each a file of its own', () => {
  assert.equal(VARIANTS.length, 2 * 2 * 3)
  const files = PAGES.flatMap((path) => VARIANTS.map((variant) => pictureFile(path, variant)))
  assert.equal(new Set(files).size, files.length)
  assert.deepEqual(
    files.filter((file) => !/^[\w.-]+$/.test(file)),
    []
  )
})

test('the sheet has a row for each screen with all its pictures, and shows the path as text', () => {
  const sheet = contactSheet(['/devices/all?key=<b>', '/wall'])
  assert.equal(sheet.match(/<h2>/g)?.length, 2)
  assert.match(sheet, /<h2>\/devices\/all\?key=&lt;b><\/h2>/)
  for (const variant of VARIANTS) assert.ok(sheet.includes(`src="${pictureFile('/wall', variant)}"`))
})

test.run()
