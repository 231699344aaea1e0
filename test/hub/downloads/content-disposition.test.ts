import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { attachment, safeFileName } from '../../../hub/downloads/content-disposition.ts'

const test = suite('content disposition')

test('a plain name stays as it is', () => {
  assert.equal(attachment('operation-log-2026-03-01.csv'), 'attachment; filename="operation-log-2026-03-01.csv"')
})

test('a name in Chinese is given in both forms', () => {
  assert.equal(
    attachment("一号 (it's).zip"),
    `attachment; filename="__ (it's).zip"; filename*=UTF-8''%e4%b8%80%e5%8f%b7%20%28it%27s%29.zip`.replace(
      /%e4%b8%80%e5%8f%b7/,
      '%E4%B8%80%E5%8F%B7'
    )
  )
})

test('no name leaves the folder, ends the header, or hides its ending', () => {
  const names: Readonly<Record<string, string>> = {
    '../../etc/passwd': '-..-etc-passwd',
    'C:\\Windows\\system.ini': 'C-Windows-system.ini',
    '/etc/passwd': '-etc-passwd',
    'a"; filename=evil.exe': 'a-; filename=evil.exe',
    'a\r\nSet-Cookie: x=1': 'aSet-Cookie- x=1',
    'invoice\u202Efdp.exe': 'invoicefdp.exe',
    '.bashrc': 'bashrc',
    '..': 'download',
    '': 'download',
    'a\u0000b.csv': 'ab.csv',
    '\uD800x.csv': 'x.csv',
    'trailing. ': 'trailing'
  }
  for (const [name, safe] of Object.entries(names)) {
    assert.equal(safeFileName(name), safe, name)
    // The header can be sent, and has one quoted name.
    const header = new Headers({ 'content-disposition': attachment(name) }).get('content-disposition') ?? ''
    assert.match(header, /^attachment; filename="[^"\\\r\n]*"(; filename\*=UTF-8''[\w.%-]+)?$/, name)
  }
})

test('a long name is cut before its ending', () => {
  const name = safeFileName(`${'名'.repeat(200)}.zip`)
  assert.equal([...name].length, 80)
  assert.ok(name.endsWith('名.zip'))
})

test.run()
