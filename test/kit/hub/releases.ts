// Releases of the whole hub as an installation has them: folders of releases, the launcher, the update service, the
// engine and the hub, each as a process of its own. Node is not copied into a release, but started by a script.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { Envelope, ResponseOf } from '../../../contract/call.ts'
import { SUCCESS } from '../../../contract/codes.ts'
import { confirmUpdate, type UploadedUpdate, updateStatus } from '../../../contract/update.ts'
import { createHubUpdate } from '../../../firmware-pack/hub-update.ts'
import { exportPublicKey } from '../../../firmware-pack/keys.ts'
import { listPrograms, writePackages, writeVersion } from '../../../make/deb/release-files.ts'
import { freeTcpPort } from '../net/free-port.ts'
import { until } from '../until.ts'
import { createUpdateForm, generateSigningKey, writeConsole } from './console-update.ts'
import { connectHub, type HubConnection } from './hub-process.ts'

const ROOT = resolve(import.meta.dirname, '../../..')

export interface ReleaseOptions {
  version: string
  /** A letter or digit that makes its console unique. Default: the last character of the version. */
  mark?: string
  /** Content of files of the release, for releases that do not work. */
  files?: Readonly<Record<string, string>>
}

/** Writes a release into a folder. */
export function writeTestRelease(
  folder: string,
  { version, mark = version.slice(-1), files = {} }: ReleaseOptions
): void {
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  for (const path of listPrograms(ROOT)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    cpSync(join(ROOT, path), join(folder, path))
  }
  for (const name of ['headend-relay', 'headend-srt', 'headend-hide-args.so'])
    cpSync(join(ROOT, 'build', name), join(folder, 'build', name))
  writePackages(ROOT, folder)
  writeVersion(folder, version)
  writeConsole(mark, join(folder, 'dist'))
  write('bin/node', `#!/bin/sh\nexec '${process.execPath}' "$@"\n`)
  chmodSync(join(folder, 'bin/node'), 0o755)
  for (const [path, text] of Object.entries(files)) write(path, text)
}

/** Whether a process runs that is not a child of this one. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** An installation with the Debian package of one version. */
export class Installation {
  readonly folder: string = mkdtempSync(join(tmpdir(), 'headend-releases-'))
  readonly packaged: string = join(this.folder, 'packaged')
  readonly downloaded: string = join(this.folder, 'downloaded')
  readonly data: string = join(this.folder, 'data')
  readonly #signing = generateSigningKey()
  readonly #processes = new Set<ChildProcess>()
  /** Where `systemd-notify` writes the process that takes the place of the engine, and that process. */
  readonly #appointed = join(this.folder, 'appointed')
  #successor: number | undefined
  #isClosing = false
  #webPort = 0
  #linkPort = 0
  hub: HubConnection = connectHub('')

  /** Adds the release of the package. */
  addPackage(options: ReleaseOptions): void {
    writeTestRelease(join(this.packaged, options.version), options)
  }

  /** A signed update with a release. @param engine number of its engine protocol. Default: that of this commit */
  createUpdate(options: ReleaseOptions, engine?: number): Buffer {
    const folder = join(this.folder, `built-${options.version}`)
    if (!existsSync(folder)) writeTestRelease(folder, options)
    const update = createHubUpdate({
      folder,
      version: options.version,
      commit: { id: '0'.repeat(40), time: 1_800_000_000, changed: false },
      signer: this.#signing.signer,
      architecture: process.arch,
      level: 1,
      ...(engine !== undefined && { engine })
    })
    rmSync(folder, { recursive: true })
    return update
  }

  /** Starts the update service, the engine and the hub by the launcher, and signs in. */
  async start(): Promise<void> {
    mkdirSync(this.downloaded, { recursive: true })
    mkdirSync(this.data, { recursive: true })
    writeFileSync(join(this.folder, 'keys.pem'), exportPublicKey(this.#signing.publicKey))
    this.#webPort = await freeTcpPort()
    this.#linkPort = await freeTcpPort()
    this.hub = connectHub(`http://127.0.0.1:${this.#webPort}`)
    mkdirSync(join(this.folder, 'bin'))
    // As systemd does, `#keepRunning` watches the process that takes the place of the engine.
    writeFileSync(join(this.folder, 'bin/systemd-notify'), `#!/bin/sh\necho "$1" > '${this.#appointed}'\n`, {
      mode: 0o755
    })
    for (const program of ['updater/main.ts', 'engine/main.ts', 'hub/main.ts'] as const) this.#keepRunning(program)
    await this.waitForHub()
    await this.hub.signIn()
  }

  /** Waits until the hub answers. */
  async waitForHub(): Promise<void> {
    const answers = () =>
      fetch(`${this.hub.url}/healthz/live`).then(
        ({ ok }) => ok,
        () => false
      )
    await until(answers, 'the hub answers')
  }

  /** Repeats a call until the hub answers: it restarts during an upgrade. */
  repeat<Reply>(call: (hub: HubConnection) => Promise<Reply>): Promise<Reply> {
    return until(() => call(this.hub).catch(() => undefined), 'the hub answers') as Promise<Reply>
  }

  /** State of updates, once the hub answers. */
  status(): Promise<ResponseOf<typeof updateStatus>> {
    return this.repeat((hub) => hub.send(updateStatus, {}))
  }

  /** Waits until the hub answers with releases in these uses. @param uses version and use of each */
  async waitForUses(...uses: string[]): Promise<void> {
    let last: string[] | undefined
    await until(
      async () => {
        const { releases } = await this.status()
        last = releases?.map(({ version, use }) => `${version} ${use}`)
        return JSON.stringify(last) === JSON.stringify(uses)
      },
      () => `releases ${uses}, but they are ${last}`
    )
  }

  /** Confirms the release on trial, as a browser does that has loaded its console. @param mark of the console */
  async confirm(mark: string): Promise<void> {
    const { result } = await this.repeat((hub) => hub.send(confirmUpdate, { script: `app-${mark.repeat(8)}.js` }))
    assert.equal(result, SUCCESS)
  }

  /** Uploads an update. Rejects when the hub does not run. */
  async upload(update: Buffer): Promise<Envelope & UploadedUpdate> {
    const response = await fetch(`${this.hub.url}/api/update/upload`, {
      method: 'POST',
      headers: { cookie: this.hub.cookie() },
      body: createUpdateForm(update)
    })
    return (await response.json()) as Envelope & UploadedUpdate
  }

  /** Ends the process that the launcher has started for a program at once. It is started again. */
  async kill(program: string): Promise<void> {
    for (const child of this.#processes)
      if (child.spawnargs.includes(program)) {
        child.kill('SIGKILL')
        await once(child, 'exit')
      }
  }

  async close(): Promise<void> {
    this.#isClosing = true
    for (const child of this.#processes) {
      child.kill('SIGTERM')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    }
    const successor = this.#successor
    if (successor !== undefined && isRunning(successor)) {
      process.kill(successor, 'SIGTERM')
      await until(() => !isRunning(successor), 'the engine has ended')
    }
    rmSync(this.folder, { recursive: true, force: true })
  }

  /** The engine goes on in another process. It is started again when that ends. */
  #watchAppointed(): void {
    const pid = Number(readFileSync(this.#appointed, 'utf8').replace('--pid=', ''))
    rmSync(this.#appointed)
    this.#successor = pid
    const timer = setInterval(() => {
      if (!this.#isClosing && isRunning(pid)) return
      clearInterval(timer)
      if (!this.#isClosing) this.#keepRunning('engine/main.ts')
    }, 100)
  }

  /** Runs a program by the launcher, and again when it ends, as systemd does. */
  #keepRunning(program: string): void {
    const child = spawn('sh', [join(ROOT, 'deploy/debian/launch'), program], {
      env: {
        ...process.env,
        PATH: `${join(this.folder, 'bin')}:${process.env.PATH}`,
        NOTIFY_SOCKET: join(this.folder, 'notify.sock'),
        HEADEND_PACKAGED: this.packaged,
        HEADEND_RELEASES: this.downloaded,
        HEADEND_UPDATER_SOCKET: join(this.folder, 'updater.sock'),
        TRUSTED_KEYS: join(this.folder, 'keys.pem'),
        DATA: this.data,
        HOST: '127.0.0.1',
        PORT: String(this.#webPort),
        LINK_PORT: String(this.#linkPort),
        SRT_PORT: '0',
        RTMP_PORT: '0',
        FILES_PORT: '0',
        HTTPS_PORT: 'off',
        DIST: './dist'
      },
      stdio: ['ignore', 'ignore', process.env.SHOW_LOG ? 'inherit' : 'ignore']
    })
    this.#processes.add(child)
    child.once('exit', () => {
      this.#processes.delete(child)
      if (this.#isClosing) return
      if (program === 'engine/main.ts' && existsSync(this.#appointed)) this.#watchAppointed()
      else this.#keepRunning(program)
    })
  }
}
