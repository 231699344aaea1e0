import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { onlineAddress } from '../../contract/online.schema.ts'

const test = suite('address of releases')

const isAccepted = (value: string) => onlineAddress.safeParse(value).success
const BEGINNING = 'https://a.example/'

test('an address has a host and perhaps a port and a folder, and may be empty', () => {
  for (const value of [
    '',
    'https://releases.example.com',
    'https://releases.example.com/',
    'http://10.0.0.7:8080/headend/stable/',
    'https://[2001:db8::1]:443/a',
    'HTTPS://Releases.example.com/a%20b',
    BEGINNING + 'a'.repeat(256 - BEGINNING.length)
  ])
    assert.ok(isAccepted(value), value)
})

test('other protocols, users, queries and what is no address are refused', () => {
  for (const value of [
    'releases.example.com',
    'ftp://releases.example.com',
    'file:///etc',
    'https://',
    'https://user:secret@a.example',
    'https://a.example/?token=1',
    'https://a.example/#a',
    'https://a.example:65536',
    'https://a.example/a b',
    'https://a.example\n',
    BEGINNING + 'a'.repeat(257 - BEGINNING.length)
  ])
    assert.ok(!isAccepted(value), value)
})

test('metadata services and link-local addresses are refused in every notation', () => {
  for (const host of ['169.254.169.254', '[fe80::1]', '[::ffff:169.254.169.254]', '0xa9fea9fe', '169.254.1.1'])
    assert.ok(!isAccepted(`http://${host}/latest`), host)
})

test.run()
