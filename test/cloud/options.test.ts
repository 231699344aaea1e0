import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readDatabaseAddresses, readStateOptions } from '../../cloud/options.ts'
import { withFolder } from '../kit/cloud/registered-hub.ts'
import { suite } from '../kit/runner/suite.ts'

const test = suite('options of a node')

test('addresses of PostgreSQL, which contain passwords, are read from files', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'address')
    const url = 'postgres://node:secret@host/database'
    writeFileSync(path, `${url}\n`)
    assert.deepEqual(readDatabaseAddresses({ APPLICATION_DATABASE_URL_FILE: path }), { applicationUrl: url })
    const data = join(folder, 'data')
    const options = readStateOptions({ DATABASE_URL_FILE: path, APPLICATION_DATABASE_URL: 'b', CLOUD_DATA: data })
    assert.deepEqual(options, { data, databaseUrl: url, applicationUrl: 'b' })
    assert.ok(existsSync(data))
    assert.deepEqual(readDatabaseAddresses({ DATABASE_URL: '', DATABASE_URL_FILE: '' }), {})
  }))

test('a file without an address, and two addresses, are refused without naming them', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'address')
    writeFileSync(path, '\n')
    assert.throws(() => readDatabaseAddresses({ DATABASE_URL_FILE: path }), /address is empty/)
    assert.throws(() => readDatabaseAddresses({ DATABASE_URL_FILE: `${path}-missing` }), /ENOENT/)
    const both = { DATABASE_URL: 'postgres://user:secret@host/a', DATABASE_URL_FILE: path }
    assert.throws(() => readDatabaseAddresses(both), { message: 'DATABASE_URL and DATABASE_URL_FILE are both set' })
  }))

test.run()
