// The names under which the hub answers. A page of another site can make its own name resolve to the address of the hub
// (DNS rebinding) and would then have the hub's origin, so requests with other names in the Host header are refused.
import { hostname, networkInterfaces } from 'node:os'
import { hostNameOf, isLoopbackName } from './host-header.ts'

/** Milliseconds for which the addresses and the name of the machine are not read again. */
const READ_INTERVAL = 5000
/** The same while a Host header is refused. */
const REFUSAL_INTERVAL = 250
/** Host headers whose verdict is remembered. */
const REMEMBERED_MAX = 100

interface HostAllowListOptions {
  /** Address on which the hub listens. */
  listenHost: string
  /** Names that the settings cannot remove, from the environment variable HOSTS. */
  fixedNames?: readonly string[]
  /** Names in the settings. */
  configuredNames(): readonly string[]
  /** For tests. */
  machine?: { hostname: typeof hostname; networkInterfaces: typeof networkInterfaces }
  /** Milliseconds of a monotonic clock. */
  now?: () => number
}

export class HostAllowList {
  readonly #options: Required<HostAllowListOptions>
  /** Verdicts by Host header. */
  readonly #verdicts = new Map<string, boolean>()
  #machineName = ''
  /** The name that the machine had before; empty until it changes. */
  #formerName = ''
  #machineNames = new Set<string>()
  #readAt = Number.NEGATIVE_INFINITY

  constructor(options: HostAllowListOptions) {
    this.#options = {
      machine: { hostname, networkInterfaces },
      fixedNames: [],
      now: () => performance.now(),
      ...options
    }
  }

  /** Whether the hub answers requests with this Host header. */
  allows(header: string | null | undefined): boolean {
    this.#refresh()
    const known = this.#verdicts.get(header ?? '')
    // An address that the machine has just got counts with the next request, because that is the one of a console that
    // follows it.
    if (known === false && this.#options.now() - this.#readAt > REFUSAL_INTERVAL) this.#refresh(REFUSAL_INTERVAL)
    else if (known !== undefined) return known
    const verdict = this.allowsWith(header, this.#options.configuredNames())
    if (this.#verdicts.size >= REMEMBERED_MAX) this.#verdicts.clear()
    this.#verdicts.set(header ?? '', verdict)
    return verdict
  }

  /** Like `allows`, with other configured names. */
  allowsWith(header: string | null | undefined, configuredNames: readonly string[]): boolean {
    this.#refresh()
    const name = hostNameOf(header)
    if (name === undefined) return false
    if (isLoopbackName(name) || this.#machineNames.has(name)) return true
    return configuredNames.some((configured) => hostNameOf(bracketed(configured)) === name)
  }

  /** All names and addresses under which the hub answers, loopback included. */
  names(): string[] {
    this.#refresh()
    const configured = this.#options.configuredNames().flatMap((name) => hostNameOf(bracketed(name)) ?? [])
    return [...new Set(['localhost', '127.0.0.1', '[::1]', ...this.#machineNames, ...configured])]
  }

  /** Must be called when the configured names change. */
  namesChanged(): void {
    this.#verdicts.clear()
  }

  /**
   * Must be called when the addresses or the name of the machine have changed, so that the next request finds the new
   * ones.
   */
  addressesChanged(): void {
    this.#readAt = Number.NEGATIVE_INFINITY
  }

  /** The name of the machine, at most 5 s old. */
  get machineName(): string {
    this.#refresh()
    return this.#machineName
  }

  /** Reads the addresses and the name of the machine, which may change while the hub runs. */
  #refresh(interval = READ_INTERVAL): void {
    const { machine, listenHost, fixedNames, now } = this.#options
    if (now() - this.#readAt < interval) return
    this.#readAt = now()
    this.#verdicts.clear()
    const name = machine.hostname()
    if (name !== this.#machineName) this.#formerName = this.#machineName
    this.#machineName = name
    const addresses = Object.values(machine.networkInterfaces()).flatMap((found) => found ?? [])
    // A console that was opened under the former name stays usable for as long as name servers know it.
    const machineNames = [name, this.#formerName].flatMap(variantsOf)
    const names = [listenHost, ...machineNames, ...fixedNames, ...addresses.map(({ address }) => address)]
    this.#machineNames = new Set(names.flatMap((each) => hostNameOf(bracketed(each)) ?? []))
  }
}

/** The names under which clients find a machine: its host name, the first label, and that label in mDNS. */
function variantsOf(name: string): string[] {
  const [short = name] = name.split('.')
  return short ? [name, short, `${short}.local`] : []
}

/** Puts an IPv6 address into brackets, without its zone. */
function bracketed(name: string): string {
  return /^[\da-f.]*:[\da-f:.]*(%.*)?$/i.test(name) ? `[${name.replace(/%.*/, '')}]` : name
}
