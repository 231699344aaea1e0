// The table with a real nftables, in a network namespace.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { missingForMachine } from '../kit/machine/machine.ts'
import { suiteRequiring } from '../kit/runner/suite.ts'

const test = suiteRequiring('nftables table', missingForMachine())

const run = promisify(execFile)
const MODULE = new URL('../../firewall/table.ts', import.meta.url).href

/**
 * Runs a script that knows `tables` and `text` in a new network namespace. @param user command that starts it as
 * another user
 */
async function inNamespace(script: string, ...wrapper: string[]): Promise<string> {
  const program = `const { kernelTables: tables, tableText: text } = await import('${MODULE}'); ${script}`
  const node = [process.execPath, '--input-type=module', '--eval', program]
  return (await run('unshare', ['--net', ...wrapper, ...node])).stdout.trim()
}

const READ = `console.log(await tables.read().then((table) => table && [...table.counts], (error) => error.message))`

test('a table that the kernel does not have is read as none, and one that it has with its counters', async () => {
  assert.equal(await inNamespace(READ), 'undefined')
  const write = `await tables.apply(text({ mode: 0, ranges: [] }, [80]));`
  assert.equal(await inNamespace(write + READ), "[ [ 'refused', [ 0, 0 ] ] ]")
})

test('nftables takes rules with an IPv4 and an IPv6 source', async () => {
  const ranges = [
    [9000, 9010, 2, '192.168.1.7/24'],
    [9000, 9010, 1, '2001:db8::1']
  ]
  const write = `await tables.apply(text({ mode: -1, ranges: ${JSON.stringify(ranges)} }, [80]));`
  assert.equal(await inNamespace(write + READ), "[ [ '0', [ 0, 0 ] ], [ '1', [ 0, 0 ] ], [ 'refused', [ 0, 0 ] ] ]")
})

test('nftables knows the names of all protocols without /etc/protocols, which a minimal Debian does not have', async () => {
  const hide = ['unshare', '--mount', 'sh', '-c', 'mount --bind /dev/null /etc/protocols && exec "$@"', 'sh']
  const write = `await tables.apply(text({ mode: 0, ranges: [] }, [80]));`
  assert.equal(await inNamespace(write + READ, ...hide), "[ [ 'refused', [ 0, 0 ] ] ]")
})

test('any other error of nftables is thrown', async () => {
  const withoutRights = ['setpriv', '--bounding-set=-all', '--inh-caps=-all']
  assert.match(await inNamespace(READ, ...withoutRights), /^Operation not permitted/)
})

test.run()
