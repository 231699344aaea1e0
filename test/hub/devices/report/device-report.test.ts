import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import type { DeviceReport } from '../../../../contract/device/report.ts'
import { createReportedApi, readReport } from '../../../../fleet/documented/reported-api.ts'
import { createRedaction } from '../../../../hub/devices/report/redact.ts'
import { startHttpDevice } from '../../../kit/fleet/http-device.ts'

const test = suite('device report')

const PROGRAM = join(import.meta.dirname, '../../../../hub/device-report.ts')

/** Runs the program with a password on standard input. */
function run(args: readonly string[], password: string): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [PROGRAM, ...args], (error, stdout, stderr) =>
      resolve({ code: error ? 1 : 0, output: stdout + stderr })
    )
    child.stdin?.end(`${password}\n`)
  })
}

test('a device of each API is asked with one login and reads only, and its report has no secrets and no serial number', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'device-report-'))
  try {
    for (const [model, sn] of [
      ['encodeAio', 'B313210600123'],
      ['ndiToHdmi', 'Z410210600124'],
      ['directorMini', 'A511210600125']
    ] as const) {
      const device = await startHttpDevice(model, { sn })
      const file = join(folder, `${model}.json`)
      const { code, output } = await run([`127.0.0.1:${device.port}`, device.user, file], device.password)
      await device.close()
      assert.equal(code, 0, output)
      assert.ok(!output.includes(device.password))
      assert.equal(device.requests.filter((line) => line.includes('login')).length, 1)
      const changes = device.requests.filter((line) => /=(set|start|stop|add|del|reboot|up)|^POST/.test(line))
      assert.deepEqual(
        changes.filter((line) => !line.includes('login')),
        []
      )
      const text = readFileSync(file, 'utf8')
      assert.ok(!text.includes(device.password) && !text.includes(sn), text)
      const report: DeviceReport = readReport(file)
      assert.equal(report.sn, `${sn.slice(0, 4)}000000000`)
      // The demo device that is made of it answers the same.
      const reported = createReportedApi(report)
      for (const { target, body } of report.answers) {
        const { pathname: path, searchParams: query } = new URL(target, 'http://device')
        if (typeof body !== 'object') continue
        assert.deepEqual(reported.handle({ method: 'GET', path, query, body: {} }), body, target)
      }
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('a wrong password writes no report', async () => {
  const device = await startHttpDevice('encodeAio')
  const { code, output } = await run([`127.0.0.1:${device.port}`, 'Admin', '/nonexistent/report'], 'wrong')
  await device.close()
  assert.equal(code, 1)
  assert.match(output, /No report: the device refuses the login/)
})

test('keys, passwords, users, stream addresses and MAC addresses are removed from every answer', () => {
  const redact = createRedaction('B313210600123', ['Admin', 'hunter2'])
  const answer = {
    name: 'Box B313210600123 of hunter2',
    'stream-server': [
      {
        url: 'rtmp://a:b@live.example.org/app/secret?x=1',
        key: 'abcd',
        passwd: 'p',
        'aes-word': 'w',
        port: 1935,
        name: 'Live'
      }
    ],
    wifi: { ssid: 'office', psk: 'x' },
    users: [{ id: 'Admin', 'user-name': 'eve' }],
    'mac-addr': 'd0:c8:57:12:34:56',
    'is-use': 1
  }
  assert.deepEqual(redact(answer), {
    name: 'Box B313000000000 of ****',
    'stream-server': [
      { url: 'rtmp://live.example.org/****', key: '****', passwd: '****', 'aes-word': '****', port: 1935, name: 'Live' }
    ],
    wifi: { ssid: '****', psk: '****' },
    users: [{ id: '****', 'user-name': '****' }],
    'mac-addr': 'd0:c8:57:00:00:00',
    'is-use': 1
  })
})

test.run()
