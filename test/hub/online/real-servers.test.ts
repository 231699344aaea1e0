// Channel files and downloads from web servers of others.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { suite } from 'uvu'
import { FIRMWARE_SPACE_MIN } from '../../../contract/firmware.ts'
import { downloadFile } from '../../../hub/online/download.ts'
import { fetchChannelFile } from '../../../hub/online/fetch-channel.ts'
import { addressOf } from '../../../hub/online/http-get.ts'
import { OnlineError } from '../../../hub/online/online-error.ts'
import { channelFiles, PUBLISHED, releaseOf } from '../../kit/hub/channel-files.ts'
import { generateSigningKey } from '../../kit/hub/console-update.ts'
import { freeTcpPort } from '../../kit/net/free-port.ts'
import { until } from '../../kit/until.ts'

const test = suite('releases on real web servers')

const publisher = generateSigningKey()
const bytes = randomBytes(3 << 20)

/** The configuration of nginx for static files, with everything that it writes in a folder. */
const nginxConfiguration = (folder: string, port: number) => `
  pid ${folder}/nginx.pid; daemon off; master_process off;
  events {}
  http {
    access_log off;
    ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((each) => `${each}_temp_path ${folder}/${each};`).join(' ')}
    server { listen 127.0.0.1:${port}; root ${folder}/web; }
  }`

const SERVERS: Readonly<Record<string, (folder: string, port: number) => ChildProcess>> = {
  nginx(folder, port) {
    writeFileSync(join(folder, 'nginx.conf'), nginxConfiguration(folder, port))
    return spawn('/usr/sbin/nginx', ['-e', join(folder, 'error.log'), '-c', join(folder, 'nginx.conf')])
  },
  'busybox httpd': (folder, port) =>
    spawn('busybox', ['httpd', '-f', '-p', `127.0.0.1:${port}`, '-h', join(folder, 'web')])
}

const signal = new AbortController().signal

for (const [name, start] of Object.entries(SERVERS))
  test(`a release is found and downloaded from ${name}, also in two parts`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'headend-real-server-'))
    const port = await freeTcpPort()
    for (const [path, content] of [
      ...channelFiles(publisher.signer, [releaseOf(bytes)]),
      ['/files/release.bin', bytes] as const
    ]) {
      mkdirSync(dirname(join(folder, 'web', path)), { recursive: true })
      writeFileSync(join(folder, 'web', path), content)
    }
    const server = start(folder, port)
    try {
      const address = `http://127.0.0.1:${port}`
      const fetchFile = () =>
        fetchChannelFile({
          folder: address,
          name: 'headend',
          channel: 'stable',
          trusted: [publisher.publicKey],
          now: PUBLISHED,
          lastNumber: 0,
          signal
        })
      const isRefused = (error: unknown) => error instanceof OnlineError && error.details.error === 'ECONNREFUSED'
      const file = await until(
        () => fetchFile().catch((error) => (isRefused(error) ? undefined : Promise.reject(error))),
        `${name} listens`
      )
      const [release] = file.releases
      assert.ok(release)
      const path = join(folder, 'downloaded')
      const options = {
        address: addressOf(address, release.file),
        path,
        digest: release,
        freeSpace: async () => (FIRMWARE_SPACE_MIN << 20) + bytes.length
      }
      const controller = new AbortController()
      const cancel = (received: number) => received > 0 && controller.abort()
      await assert.rejects(downloadFile({ ...options, signal: controller.signal, onProgress: cancel }))
      const progress: number[] = []
      await downloadFile({ ...options, signal, onProgress: (received) => progress.push(received) })
      assert.ok((progress[0] ?? 0) > 0, 'the second download continues the first one')
      assert.ok(readFileSync(path).equals(bytes))
    } finally {
      server.kill()
      await once(server, 'exit')
      rmSync(folder, { recursive: true })
    }
  })

test.run()
