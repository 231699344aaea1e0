import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { suite } from 'uvu'
import { findProgram, isPortFree } from '../../../hub/machine/port-program.ts'

const test = suite('programs that have ports open')

const folder = mkdtempSync(join(tmpdir(), 'headend-proc-'))
test.after(() => rmSync(folder, { recursive: true }))

test('a program of the same user is named, for TCP and for UDP', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = createSocket('udp4')
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const name = basename(readFileSync('/proc/self/cmdline', 'utf8').split('\0')[0] ?? '')
  const [tcp, udp] = [(server.address() as AddressInfo).port, socket.address().port]
  assert.deepEqual(findProgram('tcp', tcp), { of: 'program', name })
  assert.deepEqual(findProgram('udp', udp), { of: 'program', name })
  for (const host of ['127.0.0.1', 'localhost', '0.0.0.0', '::']) {
    assert.equal(await isPortFree('tcp', tcp, host), false, host)
    assert.equal(await isPortFree('udp', udp, host), false, host)
  }
  server.close()
  socket.close()
  await once(server, 'close')
  assert.equal(findProgram('tcp', tcp), undefined)
  assert.deepEqual([await isPortFree('tcp', tcp, '::'), await isPortFree('udp', udp, '::1')], [true, true])
})

test('a program of another user is not named, and a connection is not taken for a program that listens on the port', () => {
  const line = (local: string, state: string, inode: number) =>
    `   0: ${local} 00000000:0000 ${state} 00000000:00000000 00:00000000 00000000 0 0 ${inode} 1 0 100 0 0 10 0\n`
  mkdirSync(join(folder, 'net'))
  mkdirSync(join(folder, '7/fd'), { recursive: true })
  mkdirSync(join(folder, '8'))
  writeFileSync(join(folder, '7/comm'), 'nginx\n')
  symlinkSync('socket:[100]', join(folder, '7/fd/3'))
  const table = line('0100007F:1F90', '0A', 100) + line('0100007F:0050', '0A', 200) + line('0100007F:01BB', '01', 100)
  writeFileSync(join(folder, 'net/tcp'), `  sl  local_address\n${table}`)
  assert.deepEqual(findProgram('tcp', 8080, folder), { of: 'program', name: 'nginx' })
  assert.deepEqual(findProgram('tcp', 80, folder), { of: 'program' })
  assert.equal(findProgram('tcp', 443, folder), undefined)
  assert.equal(findProgram('udp', 8080, folder), undefined)
})

test.run()
