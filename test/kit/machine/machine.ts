// A machine for tests of the hub's machine settings: private namespaces with real services (D-Bus, polkit,
// NetworkManager), in which the hub runs as a user without rights, and a LAN with clients and browsers at the other end
// of its cable. Nothing on the machine that runs the tests is changed. Needs root and the packages of `make/install.sh
// networks`.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { until } from '../until.ts'

const execute = promisify(execFile)
const PROJECT = resolve(import.meta.dirname, '../../..')
/** The project inside the machine. */
const PROJECT_INSIDE = '/run/project'
/** User without rights as whom the hub runs. */
const USER = { name: 'headend', id: 62_001 }
/** Node's compile cache for this user, who cannot read that of the tests. */
const COMPILE_CACHE = 'build/compile-cache-of-machines'
/** The umask in the unit of the hub. Tests with it find files that other services cannot read. */
const UMASK = /^UMask=(\d+)$/m.exec(readFileSync(join(PROJECT, 'deploy/systemd/headend.service'), 'utf8'))?.[1] ?? ''
/** Network namespace of the LAN, inside the machine. */
const NETWORK_OF_LAN = '/run/netns/lan'

export type Service = 'dbus' | 'polkit' | 'network-manager' | 'chrony' | 'time-server'

/** Programs that the machine needs, with their Debian packages. */
const PROGRAMS: Readonly<Record<string, string>> = {
  '/usr/bin/unshare': 'util-linux',
  '/usr/sbin/ip': 'iproute2',
  '/usr/bin/dbus-daemon': 'dbus',
  '/usr/lib/polkit-1/polkitd': 'polkitd',
  '/usr/sbin/NetworkManager': 'network-manager',
  '/usr/sbin/nft': 'nftables',
  '/usr/sbin/chronyd': 'chrony'
}

/**
 * The parts of this machine that are missing for a test machine, for `suiteRequiring`; undefined if nothing is missing.
 */
export function missingForMachine(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'Network namespaces are missing: tests of machine settings must run as root on Linux.'
  const missing = Object.entries(PROGRAMS).filter(([path]) => !existsSync(path))
  if (missing.length === 0) return undefined
  const packages = missing.map(([, name]) => name).join(' ')
  return `${missing.map(([path]) => path).join(', ')}: missing. Install: apt-get install ${packages}`
}

export interface CommandOptions {
  /** `lan`: in the network at the other end of the cable, otherwise as on the machine that runs the tests. */
  in?: 'machine' | 'lan'
  /** The user of the hub; root by default. In the machine only. */
  as?: 'headend'
  env?: Readonly<Record<string, string>>
}

export class TestMachine {
  readonly #unshare: ChildProcess
  /** ID of the machine's first process, on the machine that runs the tests. */
  readonly #init: number
  readonly #children = new Set<ChildProcess>()
  /** The setup code that the hub on this machine has printed. */
  setupCode: string | undefined

  private constructor(unshare: ChildProcess, init: number) {
    this.#unshare = unshare
    this.#init = init
  }

  /**
   * Makes a machine with eth0, whose cable leads to peer0 (198.51.100.1/24) in the LAN.
   * @param services to start, in this order
   */
  static async open(services: readonly Service[]): Promise<TestMachine> {
    const namespaces = ['--net', '--mount', '--uts', '--pid', '--fork', '--kill-child', '--mount-proc']
    const script = resolve(import.meta.dirname, 'namespace.sh')
    const child = spawn('unshare', [...namespaces, 'bash', script, PROJECT, ...services], {
      stdio: ['ignore', 'pipe', 'inherit']
    })
    let isReady = false
    createInterface(child.stdout).on('line', (line) => {
      isReady ||= line === 'READY'
    })
    const hasEnded = () => child.exitCode !== null || child.signalCode !== null
    await until(() => isReady || hasEnded(), 'the machine is ready').catch((error) => {
      child.kill('SIGKILL')
      throw error
    })
    if (hasEnded()) throw new Error('The machine for the test did not start')
    const [init] = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim().split(' ')
    const machine = new TestMachine(child, Number(init))
    await machine.#fillCompileCache()
    return machine
  }

  /** Node writes the cache when a process ends by itself, which the hub on a machine seldom does. */
  async #fillCompileCache(): Promise<void> {
    const folder = join(PROJECT, COMPILE_CACHE)
    mkdirSync(folder, { recursive: true })
    chownSync(folder, USER.id, USER.id)
    if (readdirSync(folder).length > 0) return
    const load = ['--input-type=module', '--eval', `await import('${PROJECT_INSIDE}/hub/hub.ts')`]
    await this.run([this.node, ...load], { as: 'headend', env: this.compileCache })
  }

  /** Environment of Node, as the user of the hub. */
  readonly compileCache = { NODE_COMPILE_CACHE: join(PROJECT_INSIDE, COMPILE_CACHE) }

  /** Node inside the machine. */
  readonly node = process.execPath.replace(`${PROJECT}/`, `${PROJECT_INSIDE}/`)

  /** The command line that runs a command in the machine or in its LAN. */
  commandLine(command: readonly string[], { in: place = 'machine', as }: CommandOptions = {}): string[] {
    if (place === 'lan') return ['nsenter', `--net=${join(`/proc/${this.#init}/root`, NETWORK_OF_LAN)}`, ...command]
    const user = as
      ? ['setpriv', `--reuid=${USER.id}`, `--regid=${USER.id}`, '--init-groups', '--inh-caps=-all', '--no-new-privs']
      : ['setpriv']
    const umask = as ? ['sh', '-c', `umask ${UMASK}; exec "$@"`, 'sh'] : []
    const enter = ['nsenter', '--target', String(this.#init), '--net', '--mount', '--uts', '--pid']
    return [...enter, 'env', `--chdir=${PROJECT_INSIDE}`, ...user, '--pdeathsig', 'KILL', ...umask, ...command]
  }

  /** Runs a command to its end. @returns its output @throws if it fails */
  async run(command: readonly string[], options: CommandOptions = {}): Promise<string> {
    const [program = '', ...args] = this.commandLine(command, options)
    const { stdout } = await execute(program, args, { env: { ...process.env, ...options.env } })
    return stdout.trim()
  }

  /** Runs a command to its end. @returns whether it succeeds */
  succeeds(command: readonly string[], options: CommandOptions = {}): Promise<boolean> {
    return this.run(command, options).then(
      () => true,
      () => false
    )
  }

  /** Waits until a service has its name on the system bus. */
  waitForBusName(name: string): Promise<void> {
    const isAcquired = `busctl --system list --acquired | grep -q '^${name} '`
    return until(() => this.succeeds(['bash', '-c', isAcquired]), `${name} is on the bus`)
  }

  /** Starts a command that ends with the machine, or when its process is killed. */
  start(command: readonly string[], options: CommandOptions = {}): ChildProcess {
    const [program = '', ...args] = this.commandLine(command, options)
    const child = spawn(program, args, {
      env: { ...process.env, ...options.env },
      stdio: ['pipe', 'pipe', 'inherit']
    })
    this.#children.add(child)
    child.once('exit', () => this.#children.delete(child))
    return child
  }

  /** Writes a file in the machine. */
  async writeFile(path: string, text: string, mode = '600'): Promise<void> {
    const write = 'install -D -m "$2" /dev/null "$1" && printf %s "$3" > "$1"'
    await this.run(['bash', '-c', write, 'bash', path, mode, text])
  }

  /** A file of the machine, as text. */
  readFile(path: string): Promise<string> {
    return this.run(['cat', path])
  }

  async close(): Promise<void> {
    for (const child of this.#children) child.kill('SIGKILL')
    const exit = once(this.#unshare, 'exit')
    this.#unshare.kill('SIGKILL')
    await exit
  }
}
