// A clean Debian in a folder, in which tests install the package. It shares the network of this machine; nothing
// outside the folder is changed.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { debianSources, ownRelease } from '../../../firmware-pack/appliance/debian-sources.ts'
import { isRunning } from '../system-processes.ts'
import { until } from '../until.ts'

/** What a clean root needs; undefined if nothing is missing. */
export function missingForCleanRoot(): string | undefined {
  for (const program of ['mmdebstrap', 'lintian', 'dpkg-shlibdeps'])
    if (!existsSync(`/usr/bin/${program}`)) return `${program} is missing. Install: make/install.sh deb clean-root`
  return process.getuid?.() === 0 ? undefined : 'A clean root needs root.'
}

export interface RunResult {
  status: number | null
  /** stdout and stderr. */
  output: string
}

export class CleanRoot {
  readonly #folder = mkdtempSync(join(tmpdir(), 'headend-root-'))
  readonly #children: ChildProcess[] = []
  /** Has the mounts of the root in its namespace. */
  #holder: ChildProcess | undefined

  /** Path of a file of the root on this machine. */
  path(inside: string): string {
    return join(this.#folder, 'root', inside)
  }

  async create(): Promise<void> {
    const root = this.path('')
    // In a mount namespace, so that its mounts end with it also when it is killed.
    const command = [
      '--mount',
      'mmdebstrap',
      '--quiet',
      '--variant=apt',
      ownRelease() ?? 'stable',
      root,
      ...debianSources()
    ]
    execFileSync('unshare', command, { stdio: 'inherit' })
    copyFileSync('/etc/resolv.conf', this.path('etc/resolv.conf'))
    // No service is started: there is no systemd.
    const mounts = `set -e; mount --make-rprivate /; mount --bind ${root} ${root}
mount --rbind /dev ${root}/dev; mount --rbind /proc ${root}/proc; echo mounted; exec sleep infinity`
    this.#holder = spawn('unshare', ['--mount', 'bash', '-c', mounts], { stdio: ['ignore', 'pipe', 'inherit'] })
    let text = ''
    this.#holder.stdout?.on('data', (chunk) => {
      text += chunk
    })
    await until(() => text.includes('mounted'), 'the mounts of the root')
  }

  /** The command that becomes a command in the root. */
  #enter(command: readonly string[]): string[] {
    return [`--mount=/proc/${this.#holder?.pid}/ns/mnt`, 'chroot', this.path(''), ...command]
  }

  readonly #env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C', DEBIAN_FRONTEND: 'noninteractive' }

  /** Runs shell commands as root. */
  run(commands: string): RunResult {
    const options = { env: this.#env, encoding: 'utf8', maxBuffer: 1 << 26 } as const
    const { status, stdout, stderr } = spawnSync('nsenter', this.#enter(['sh', '-ec', commands]), options)
    return { status, output: stdout + stderr }
  }

  write(path: string, text: string): void {
    mkdirSync(join(this.path(path), '..'), { recursive: true })
    writeFileSync(this.path(path), text)
  }

  /**
   * Starts the command of an installed unit, with its user, environment, folders and privileges, as systemd does
   * without namespaces and the filter of system calls.
   */
  start(unit: string): ChildProcess {
    const text = readFileSync(this.path(`usr/lib/systemd/system/${unit}.service`), 'utf8')
    const settings = (name: string) =>
      [...text.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value)
    const [user = ''] = settings('User')
    const [group = user] = settings('Group')
    const others = settings('SupplementaryGroups')
    const groups = others.length > 0 ? `--groups=${[group, ...others]}` : '--init-groups'
    for (const [name, parent] of [
      ['RuntimeDirectory', '/run'],
      ['StateDirectory', '/var/lib']
    ] as const)
      for (const folder of settings(name)) {
        const [mode = '0755'] = settings(`${name}Mode`)
        this.run(`install -d -m ${mode} -o ${user} -g ${group} ${parent}/${folder}`)
      }
    const file = this.path('etc/default/headend')
    const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
    const capability = settings('AmbientCapabilities').join().replace('CAP_', '').toLowerCase()
    const capabilities = capability ? `-all,+${capability}` : '-all'
    const rights = ['inh-caps', 'ambient-caps', 'bounding-set'].map((name) => `--${name}=${capabilities}`)
    const command = [
      ...['setpriv', `--reuid=${user}`, `--regid=${group}`, groups, '--no-new-privs', ...rights],
      ...['env', ...settings('Environment').flatMap((value) => value.split(' ')), ...lines],
      ...(settings('ExecStart')[0] ?? '').split(' ')
    ]
    const child = spawn('nsenter', this.#enter(command), { env: this.#env, stdio: 'inherit' })
    this.#children.push(child)
    return child
  }

  /** Stops all processes and removes the folder. */
  async close(): Promise<void> {
    for (const child of this.#children) child.kill('SIGTERM')
    for (const child of this.#children)
      await until(() => !isRunning(child.pid ?? 0), 'the end of a process in the root')
    this.#holder?.kill('SIGKILL')
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
